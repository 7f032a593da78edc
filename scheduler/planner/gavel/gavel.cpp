// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/gavel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "scheduler/planner/gavel/typed_places.hpp"
#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

std::vector<bool> positive(const std::vector<double>& values) {
  std::vector<bool> result;
  for (const double value : values) result.push_back(value > 0.0);
  return result;
}

}  // namespace

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
    std::erase_if(pairs_, [&](const auto& entry) {
      const auto& unit = entry.first;
      const bool has_left = unit.first == job || unit.second == job;
      if (has_left) shares_->remove(unit);
      return has_left;
    });
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
  if (lease.unit.first == job) {
    const bool waits = lease.unit.second && at >= lease.ends;  // for the other one
    const double of_unit = waits ? to_seconds(lease.unit_ends - round_began_) : time;
    shares_->note(lease.unit, lease.type, of_unit);
  }
  if (!lease.trained) course.done += time * lease.rate;
  course.lease.reset();
}

bool Gavel::is_round_over(const PlanQuery& query) const {
  return std::ranges::none_of(courses_, [&](const auto& entry) {
    return entry.second.lease && entry.second.lease->ends > query.now;
  });
}

void Gavel::renew(const PlanQuery& query) {
  shares_->renew(fractions(query), to_seconds(query.now - renewed_));
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
  for (const auto& choice : shares_->choose(candidates(query), type_order(shape.types()), gpus)) {
    begin_lease(choice, query.now);
  }
}

/// On which a job may get GPUs alone: those on which it can run, but in a queue only its own.
std::vector<bool> Gavel::types_of(JobId job) const {
  const std::vector<double>* chosen = &courses_.at(job).rates;
  if (settings_.objective == Objective::fifo || settings_.objective == Objective::artifact_fifo) {
    const auto* fractions = shares_->fractions_of(RoundShares::alone(job));
    if (fractions == nullptr) return std::vector<bool>(chosen->size(), false);
    chosen = fractions;
  }
  return positive(*chosen);
}

std::vector<RoundShares::Candidate> Gavel::candidates(const PlanQuery& query) const {
  std::vector<RoundShares::Candidate> candidates;
  std::set<JobId> present;
  for (const PlanJob& job : query.jobs) {
    const JobId id = job.view->id;
    present.insert(id);
    candidates.push_back({RoundShares::alone(id), job.view->requested_gang, types_of(id)});
  }
  for (const auto& [unit, pair] : pairs_) {
    if (!present.contains(unit.first) || !present.contains(unit.second)) continue;
    candidates.push_back({unit, pair.gang, positive(pair.rates[0])});
  }
  return candidates;
}

void Gavel::begin_lease(const RoundShares::Choice& choice, Instant now) {
  const auto type = static_cast<std::size_t>(choice.type);
  const auto pair = pairs_.find(choice.unit);
  std::vector<Lease*> leases;
  Instant ends = now;
  for (const JobId job : {choice.unit.first, choice.unit.second}) {
    if (!job) continue;
    Course& course = courses_.at(job);
    const double rate =
        pair == pairs_.end() ? course.rates[type] : pair->second.rates[leases.size()][type];
    course.lease = Lease{.unit = choice.unit, .type = choice.type, .rate = rate};
    course.lease->ends = now + leased_time(rate, course.left, settings_.round);
    ends = std::max(ends, course.lease->ends);
    leases.push_back(&*course.lease);
  }
  for (Lease* lease : leases) lease->unit_ends = ends;
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

/// Large gangs find places first.
Plan Gavel::leased(const PlanQuery& query) const {
  Plan plan;
  Handout handout(query.admission, residents() * query.placer.usable_gpus(),
                  query.cluster.shape().gpus());
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
  if (settings_.residents > 1) name_gpus(plan, query);
  if (ends > query.now) {
    plan.next = ends;
  } else if (changed_ && !query.jobs.empty()) {
    plan.next = std::max(query.now + settings_.round, renewed_ + settings_.renew);
  }
  return plan;
}

void Gavel::name_gpus(Plan& plan, const PlanQuery& query) const {
  std::map<JobId, const JobView*> views;
  for (const PlanJob& job : query.jobs) views.emplace(job.view->id, job.view);
  std::vector<TypedGang> gangs;
  std::map<RoundShares::Unit, std::size_t> gang_of;
  for (const Target& target : plan.targets) {
    const Lease& lease = *courses_.at(target.job).lease;
    const auto [found, is_new] = gang_of.try_emplace(lease.unit, gangs.size());
    const JobView* view = views.at(target.job);
    if (is_new) gangs.push_back({{}, view->requested_gang, lease.type});
    gangs[found->second].jobs.push_back(view);
  }
  const auto places = typed_places(gangs, query.cluster.shape(), query.placer);
  for (Target& target : plan.targets) {
    target.gpus = allocation_on(places[gang_of.at(courses_.at(target.job).lease->unit)]);
  }
  std::erase_if(plan.targets, [](const Target& target) {
    return std::get<Allocation>(target.gpus).slots.empty();
  });
}

}  // namespace mimus::scheduler
