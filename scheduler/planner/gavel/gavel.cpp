// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/gavel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "scheduler/planner/gavel/allox.hpp"
#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

/// Of which nothing is believed, before it has trained.
constexpr double kUnknownRunTime = 60.0;

RoundShares::Unit alone(JobId job) {
  return {job, JobId{}};
}

/// Jobs that a program cannot tell apart become one entry. Returns the entry of each job.
std::vector<std::size_t> merge_alike(SharedTypes& shared) {
  std::map<std::pair<std::vector<double>, int>, std::size_t> known;
  std::vector<std::size_t> entry_of;
  std::vector<SharedTypes::Jobs> merged;
  for (auto& job : shared.jobs) {
    const auto [found, is_new] = known.try_emplace({job.rates, job.gang}, merged.size());
    if (is_new) {
      merged.push_back(std::move(job));
    } else {
      ++merged[found->second].count;
    }
    entry_of.push_back(found->second);
  }
  shared.jobs = std::move(merged);
  return entry_of;
}

}  // namespace

Plan Gavel::plan(const PlanQuery& query) {
  if (!shares_) shares_.emplace(query.cluster.shape().types(), settings_.round);
  forget(query);
  meet(query);
  if (!is_round_over(query)) return leased(query);
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
    shares_->remove(alone(job));
  }
  gone_.clear();
}

void Gavel::meet(const PlanQuery& query) {
  for (const PlanJob& job : query.jobs) {
    const auto [course, is_new] = courses_.try_emplace(job.view->id);
    if (!is_new) continue;
    course->second.rates = rates_.of(*job.view, query);
    shares_->add(alone(job.view->id));
    changed_ = true;
  }
}

void Gavel::end_lease(JobId job, Course& course, Instant at) {
  if (!course.lease) return;
  const Lease& lease = *course.lease;
  const double time = to_seconds(std::min(at, lease.ends) - round_began_);
  shares_->note(alone(job), lease.type, time);
  course.done += time * course.rates[static_cast<std::size_t>(lease.type)];
  course.lease.reset();
}

bool Gavel::is_round_over(const PlanQuery& query) const {
  return std::ranges::none_of(courses_, [&](const auto& entry) {
    return entry.second.lease && entry.second.lease->ends > query.now;
  });
}

/// Iterations. A job of which no run time is believed is taken to need as long again as it has had.
double Gavel::remaining(const JobView& job, const Course& course) const {
  double first_rate = 0.0;
  if (!job.rates.empty()) {
    first_rate = job.rates.front().second;
  } else {
    first_rate = *std::ranges::find_if(course.rates, [](double rate) { return rate > 0.0; });
  }
  const double run_time = to_seconds(job.estimated_run_time);
  const double left = run_time > 0.0 ? run_time * first_rate - course.done
                                     : std::max(course.done, kUnknownRunTime * first_rate);
  return std::max(left, 1.0);
}

SharedTypes Gavel::shared(const PlanQuery& query) {
  const ClusterShape& shape = query.cluster.shape();
  SharedTypes shared;
  for (int type = 0; type < shape.types(); ++type) shared.gpus.push_back(shape.gpus_of_type(type));
  for (const PlanJob& job : query.jobs) {
    Course& course = courses_.at(job.view->id);
    SharedTypes::Jobs entry;
    entry.rates = course.rates;
    entry.gang = job.view->requested_gang;
    entry.remaining = remaining(*job.view, course);
    if (settings_.rates == Rates::none) {
      const double fastest = *std::ranges::max_element(course.rates);
      for (double& rate : entry.rates) rate = rate > 0.0 ? 1.0 : 0.0;
      entry.remaining /= fastest;
    }
    entry.age = to_seconds(query.now - job.view->arrival);
    shared.jobs.push_back(std::move(entry));
  }
  return shared;
}

void Gavel::renew(const PlanQuery& query) {
  const TimeFractions found = fractions(query);
  std::map<RoundShares::Unit, std::vector<double>> of_units;
  for (std::size_t i = 0; i < query.jobs.size(); ++i) {
    of_units.emplace(alone(query.jobs[i].view->id), found[i]);
  }
  shares_->renew(of_units, to_seconds(query.now - renewed_));
  renewed_ = query.now;
  changed_ = false;
}

TimeFractions Gavel::fractions(const PlanQuery& query) {
  if (query.jobs.empty()) return {};
  SharedTypes all = shared(query);
  const auto jobs = static_cast<int>(all.jobs.size());
  switch (settings_.objective) {
    case Objective::makespan:
      return shortest_makespan(all);
    case Objective::allox:
      return lines(query, all);
    case Objective::ftf:
      for (std::size_t i = 0; i < all.jobs.size(); ++i) {
        Course& course = courses_.at(query.jobs[i].view->id);
        if (course.rate_alone > 0.0) {
          course.isolated += (course.done - course.done_before) / course.rate_alone;
        }
        const double left = time_alone(all, all.jobs[i], jobs);
        course.rate_alone = remaining(*query.jobs[i].view, course) / left;
        course.done_before = course.done;
        all.jobs[i].alone = course.isolated + left;
      }
      return fairest_finish(all, settings_.fill);
    case Objective::max_min:
    case Objective::max_sum:
      break;
  }
  const std::vector<std::size_t> entry_of = merge_alike(all);
  const TimeFractions of_entries = settings_.objective == Objective::max_min
                                       ? most_equal(all, settings_.fill)
                                       : most_work(all, prices(query.cluster.shape()));
  TimeFractions fractions;
  for (const std::size_t entry : entry_of) fractions.push_back(of_entries[entry]);
  return fractions;
}

std::vector<double> Gavel::prices(const ClusterShape& shape) const {
  std::vector<double> prices;
  for (int type = 0; type < shape.types(); ++type) {
    const auto stated = settings_.prices.find(shape.type_name(type));
    prices.push_back(stated == settings_.prices.end() ? 1.0 : stated->second);
  }
  return prices;
}

/// AlloX: a job that has come first in a line stays there until it ends. Of the others those that
/// have waited longest are lined up anew, a share of them, but at least as many as GPUs are left.
TimeFractions Gavel::lines(const PlanQuery& query, const SharedTypes& shared) const {
  const std::size_t types = shared.gpus.size();
  TimeFractions fractions(shared.jobs.size(), std::vector<double>(types, 0.0));
  std::vector<int> gpus(shared.gpus.begin(), shared.gpus.end());
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < shared.jobs.size(); ++i) {
    const JobView& view = *query.jobs[i].view;
    if (view.requested_gang > 1) {
      throw UsageError(fmt::format(
          "job {} asks for {} GPUs, but objective: allox lines up jobs of a single GPU; choose "
          "another objective of planner gavel",
          view.id.value(), view.requested_gang));
    }
    const std::vector<double>* before = shares_->fractions_of(alone(view.id));
    const auto line =
        before == nullptr ? std::vector<double>::const_iterator{} : std::ranges::find(*before, 1.0);
    if (before == nullptr || line == before->end()) {
      waiting.push_back(i);
      continue;
    }
    fractions[i] = *before;
    --gpus[static_cast<std::size_t>(line - before->begin())];
  }
  const int left = std::accumulate(gpus.begin(), gpus.end(), 0);
  const double share = settings_.considered * static_cast<double>(waiting.size());
  const auto most = static_cast<std::size_t>(std::max(static_cast<int>(share), std::max(left, 0)));
  if (waiting.size() > most) waiting.resize(most);  // they are in the order of their arrival
  std::vector<LinedJob> lined;
  for (const std::size_t i : waiting) {
    LinedJob& job = lined.emplace_back();
    for (const double rate : shared.jobs[i].rates) {
      job.times.push_back(rate > 0.0 ? shared.jobs[i].remaining / rate
                                     : std::numeric_limits<double>::infinity());
    }
  }
  const auto first = first_in_line(lined, gpus);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (first[i]) fractions[waiting[i]][*first[i]] = 1.0;
  }
  return fractions;
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
    candidates.push_back({alone(job.view->id), job.view->requested_gang, std::move(can_run)});
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

/// Of as many whole iterations as fit into a round.
Duration Gavel::lease_time(const Course& course, int type) const {
  const double rate = course.rates[static_cast<std::size_t>(type)];
  const double iterations = std::floor(rate * to_seconds(settings_.round));
  return iterations >= 1.0 ? from_seconds(iterations / rate) : settings_.round;
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
