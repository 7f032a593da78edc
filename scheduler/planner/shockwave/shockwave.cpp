// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/shockwave/shockwave.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "scheduler/planner/finish_time_belief.hpp"
#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/leased_time.hpp"

namespace mimus::scheduler {
namespace {

/// What a job has made is taken from the time that it has trained, where it does not report it. One
/// that has trained for longer than believed needs at least a round.
TrainingBelief belief_of(const ProfiledTraining& training, const JobView& job, Instant now,
                         double round) {
  const double trained = to_seconds(job.training_time(now)) / job.requested_gang;
  if (!job.epochs) {
    return unprofiled(trained, std::max(believed_run_time(job, std::nullopt, now).left, round));
  }
  const auto& report = job.progress.epochs;
  const double made = report ? report->epochs : epochs_within(*job.epochs, trained);
  return training.belief(*job.epochs, made);
}

/// With an equal share of the cluster a job runs for this share of the time.
double equal_share(const PlanQuery& query) {
  return std::min(1.0, query.placer.usable_gpus() / static_cast<double>(query.jobs.size()));
}

}  // namespace

void Shockwave::EqualShareEnd::believe(double end, double now) {
  if (present_ == 0.0) first_ = now;
  sum_ += present_ * (now - since_);
  since_ = now;
  present_ = end;
}

double Shockwave::EqualShareEnd::at(double now) const {
  if (now <= first_) return present_;
  constexpr double kOfMean = 0.9;
  const double mean = (sum_ + present_ * (now - since_)) / (now - first_);
  return kOfMean * mean + (1.0 - kOfMean) * present_;
}

Plan Shockwave::plan(const PlanQuery& query) {
  forget();
  meet(query);
  const bool is_round_over = std::ranges::none_of(courses_, [&](const auto& entry) {
    return entry.second.lease_ends && *entry.second.lease_ends > query.now;
  });
  if (!is_round_over) return leased(query);
  end_round(query);
  if (!query.jobs.empty() && query.placer.usable_gpus() > 0) {
    if (changed_ || round_ >= settings_.renew) look_ahead(query);
    lease(query);
  }
  return leased(query);
}

void Shockwave::forget() {
  for (const JobId job : gone_) changed_ = courses_.erase(job) > 0 || changed_;
  gone_.clear();
}

void Shockwave::meet(const PlanQuery& query) {
  for (const PlanJob& job : query.jobs) {
    changed_ = courses_.try_emplace(job.view->id).second || changed_;
  }
}

void Shockwave::end_round(const PlanQuery& query) {
  for (const PlanJob& job : query.jobs) {
    Course& course = courses_.at(job.view->id);
    if (course.lease_ends && job.view->epochs && job.view->progress.epochs) {
      course.training.hear(*job.view->epochs, *job.view->progress.epochs);
    }
    course.lease_ends.reset();
  }
}

/// Begins a window.
void Shockwave::look_ahead(const PlanQuery& query) {
  const double now = to_seconds(query.now);
  const double share = equal_share(query);
  for (const PlanJob& job : query.jobs) {
    Course& course = courses_.at(job.view->id);
    course.belief = belief_of(course.training, *job.view, query.now, to_seconds(settings_.round));
    const double time = (course.belief.spent + course.belief.left) / share;
    if (changed_) course.fair.believe(to_seconds(job.view->arrival) + time, now);
    course.ratio = (now + course.belief.left / share) / std::max(course.fair.at(now), 1.0);
  }
  const Window window{.gpus = query.placer.usable_gpus(),
                      .rounds = settings_.window,
                      .round = to_seconds(settings_.round),
                      .makespan = settings_.makespan};
  const std::vector<WindowJob> jobs = in_time(query, share);
  const std::vector<int> rounds = rounds_of_window(jobs, window);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Course& course = courses_.at(query.jobs[i].view->id);
    course.rounds_left = rounds[i];
    course.value = jobs[i].weight / std::max(1, rounds[i]);
    course.left_then = course.belief.left;
  }
  changed_ = false;
  round_ = 0;
}

/// What the program is told: so many rounds that every job can still end in time or, where that is
/// impossible, weights for those that will be late.
std::vector<WindowJob> Shockwave::in_time(const PlanQuery& query, double share) const {
  const double now = to_seconds(query.now);
  const double round = to_seconds(settings_.round);
  bool is_possible = true;
  double needed = 0.0;
  std::vector<WindowJob> jobs;
  for (const PlanJob& job : query.jobs) {
    const Course& course = courses_.at(job.view->id);
    const TrainingBelief& belief = course.belief;
    const double spare = course.fair.at(now) * settings_.late - now - window_time();
    const double time = std::max(0.0, belief.left - spare * share);
    is_possible = is_possible && spare >= 0.0 && time <= std::min(window_time(), belief.rest);
    const auto rounds = is_possible ? static_cast<int>(std::ceil(time / round)) : 0;
    const int gang = job.view->requested_gang;
    needed += static_cast<double>(rounds) * gang;
    jobs.push_back({gang, belief.made, belief.rest, belief.left, 1.0, rounds});
  }
  if (is_possible && needed <= query.placer.usable_gpus() * settings_.window) return jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].least_rounds = 0;
    jobs[i].weight = weight(courses_.at(query.jobs[i].view->id));
  }
  return jobs;
}

/// A late job that could end within a round comes before all others.
double Shockwave::weight(const Course& course) const {
  if (course.ratio <= settings_.late) return 1.0;
  constexpr double kPowerAtEnd = 100.0;
  constexpr double kMost = 1e6;  // beyond which weights would only cost the solver its accuracy
  const bool ends = course.belief.left < to_seconds(settings_.round);
  return std::min(kMost, std::pow(course.ratio, ends ? kPowerAtEnd : settings_.power));
}

/// Jobs that need every round that is left come first, then those whose rounds are worth most. GPUs
/// that would stay idle go to the jobs that have most left.
std::vector<const PlanJob*> Shockwave::choose(const PlanQuery& query) {
  const int rounds = settings_.window - round_;
  std::vector<const PlanJob*> ranked;
  for (const PlanJob& job : query.jobs) ranked.push_back(&job);
  std::ranges::stable_sort(ranked, std::greater<>{}, [&](const PlanJob* job) {
    const Course& course = courses_.at(job->view->id);
    if (course.rounds_left <= 0) return std::tuple(0, false, course.left_then, 0.0);
    return std::tuple(1, course.rounds_left >= rounds, course.value, course.ratio);
  });
  std::vector<const PlanJob*> chosen;
  Handout handout(query);
  for (const PlanJob* job : ranked) {
    if (handout.give(*job, job->view->requested_gang) != Handout::Answer::given) continue;
    chosen.push_back(job);
    --courses_.at(job->view->id).rounds_left;
  }
  return chosen;
}

/// Begins a round.
void Shockwave::lease(const PlanQuery& query) {
  for (const PlanJob* job : choose(query)) {
    const JobView& view = *job->view;
    Duration time = settings_.round;
    if (view.epochs) {
      const auto& report = view.progress.epochs;
      const double left = report ? report->iterations_left : view.epochs->iterations;
      time = leased_time(view.epochs->modes[report ? report->mode : 0].rate, left, time);
    }
    courses_.at(view.id).lease_ends = query.now + time;
  }
  ++round_;
}

/// Large gangs find places first.
Plan Shockwave::leased(const PlanQuery& query) const {
  Plan plan;
  Handout handout(query);
  std::vector<const PlanJob*> jobs;
  for (const PlanJob& job : query.jobs) {
    if (courses_.at(job.view->id).lease_ends) jobs.push_back(&job);
  }
  std::ranges::stable_sort(jobs, std::greater<>{},
                           [](const PlanJob* job) { return job->view->requested_gang; });
  Instant ends = query.now;
  for (const PlanJob* job : jobs) {
    ends = std::max(ends, *courses_.at(job->view->id).lease_ends);
    const int gang = job->view->requested_gang;
    if (handout.give(*job, gang) != Handout::Answer::given) continue;
    plan.targets.push_back({.job = job->view->id, .gpus = GpuCount{gang}});
  }
  if (ends > query.now) {
    plan.next = ends;
  } else if (!query.jobs.empty()) {
    plan.next = query.now + settings_.round;
  }
  return plan;
}

}  // namespace mimus::scheduler
