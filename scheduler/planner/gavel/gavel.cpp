// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/gavel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
Plan Gavel::plan(const PlanQuery& query) {
  if (!shares_) shares_.emplace(query.cluster.shape().types(), settings_.round);
  forget(query);
  meet(query);
  if (!is_round_over(query)) return leased(query);
  for (const PlanJob& job : query.jobs) learn(*job.view, query);
  for (auto& [job, course] : courses_) end_lease(job, course, query.now);
  const bool is_first = renewed_ == Instant{};
  if (changed_ && (is_first || query.now - renewed_ >= settings_.renew)) renew(query);
  lease(query);
  return leased(query);
}

/// Ends the leases of jobs that have left, failed or been stopped.
void Gavel::forget(const PlanQuery& query) {
  std::set<JobId> present;
  for (const PlanJob& job : query.jobs) present.insert(job.view->id);
  for (auto& [job, course] : courses_) {
    if (!present.contains(job)) end_lease(job, course, query.now);
  }
  for (const JobId job : gone_) {
    changed_ = courses_.erase(job) > 0 || changed_;
    shares_->remove(RoundShares::alone(job));
  }
  gone_.clear();
}

void Gavel::meet(const PlanQuery& query) {
  for (const PlanJob& job : query.jobs) {
    const auto [course, is_new] = courses_.try_emplace(job.view->id);
    if (!is_new) continue;
    course->second.rates = rates_.of(*job.view, query);
    shares_->add(RoundShares::alone(job.view->id));
    changed_ = true;
  }
}

/// What a job whose batch changes has reported of the round.
void Gavel::learn(const JobView& job, const PlanQuery& query) {
  if (!job.epochs) return;
  Course& course = courses_.at(job.id);
  course.rates = rates_.of(job, query);
  if (!job.progress.epochs) return;
  const EpochReport& report = *job.progress.epochs;
  if (course.lease) course.lease->trained = report.trained;
  course.done = job.epochs->iterations - report.iterations_left;
  course.left = report.iterations_left;
}

void Gavel::end_lease(JobId job, Course& course, Instant at) {
  if (!course.lease) return;
  const Lease& lease = *course.lease;
  const double time = lease.trained.value_or(to_seconds(std::min(at, lease.ends) - round_began_));
  shares_->note(RoundShares::alone(job), lease.type, time);
  if (!lease.trained) course.done += time * course.rates[static_cast<std::size_t>(lease.type)];
  course.lease.reset();
}

bool Gavel::is_round_over(const PlanQuery& query) const {
  return std::ranges::none_of(courses_, [&](const auto& entry) {
    return entry.second.lease && entry.second.lease->ends > query.now;
  });
}

void Gavel::renew(const PlanQuery& query) {
  const TimeFractions found = fractions(query);
  std::map<RoundShares::Unit, std::vector<double>> of_units;
  for (std::size_t i = 0; i < query.jobs.size(); ++i) {
    of_units.emplace(RoundShares::alone(query.jobs[i].view->id), found[i]);
  }
  shares_->renew(of_units, to_seconds(query.now - renewed_));
  renewed_ = query.now;
  changed_ = false;
}

/// Begins a round.
void Gavel::lease(const PlanQuery& query) {
  const ClusterShape& shape = query.cluster.shape();
  round_began_ = query.now;
  std::vector<int> gpus(static_cast<std::size_t>(shape.types()), 0);
  for (const GpuState& gpu : query.cluster.gpus()) {
    if (query.placer.usable(gpu.id)) ++gpus[static_cast<std::size_t>(shape.type_of(gpu.id))];
  }
  std::vector<RoundShares::Candidate> candidates;
  for (const PlanJob& job : query.jobs) {
    const Course& course = courses_.at(job.view->id);
    std::vector<bool> can_run;
    for (const double rate : course.rates) can_run.push_back(rate > 0.0);
    candidates.push_back(
        {RoundShares::alone(job.view->id), job.view->requested_gang, std::move(can_run)});
  }
  for (const auto& choice : shares_->choose(candidates, type_order(shape.types()), gpus)) {
    Course& course = courses_.at(choice.unit.first);
    course.lease = Lease{choice.type, query.now + lease_time(course, choice.type)};
  }
}

/// Without rates no type is better than another, and no job is to be bound to the same one.
std::vector<int> Gavel::type_order(int types) {
  std::vector<int> order(static_cast<std::size_t>(types));
  std::iota(order.begin(), order.end(), 0);
  if (settings_.rates == Rates::by_type) return order;
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(i)))]);
  }
  return order;
}

Duration Gavel::lease_time(const Course& course, int type) const {
  return leased_time(course.rates[static_cast<std::size_t>(type)], course.left, settings_.round);
}

/// Large gangs find places first.
Plan Gavel::leased(const PlanQuery& query) const {
  Plan plan;
  Handout handout(query);
  std::vector<const PlanJob*> jobs;
  for (const PlanJob& job : query.jobs) {
    if (courses_.at(job.view->id).lease) jobs.push_back(&job);
  }
  std::ranges::stable_sort(jobs, std::greater<>{},
                           [](const PlanJob* job) { return job->view->requested_gang; });
  Instant ends = query.now;
  for (const PlanJob* job : jobs) {
    const Lease& lease = *courses_.at(job->view->id).lease;
    ends = std::max(ends, lease.ends);
    const int gang = job->view->requested_gang;
    if (handout.give(*job, gang) != Handout::Answer::given) continue;
    const std::string& type = query.cluster.shape().type_name(lease.type);
    plan.targets.push_back({.job = job->view->id, .gpus = TypeCounts{{type, gang}}});
  }
  if (ends > query.now) {
    plan.next = ends;
  } else if (changed_ && !query.jobs.empty()) {
    plan.next = std::max(query.now + settings_.round, renewed_ + settings_.renew);
  }
  return plan;
}

}  // namespace mimus::scheduler
