// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plan/reconciler.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/books/attempts.hpp"
#include "scheduler/plan/plan_check.hpp"
#include "scheduler/plan/scratch.hpp"

namespace mimus::scheduler {
namespace {

/// All jobs that have GPUs or could start, by arrival.
std::vector<JobRecord*> candidates(Books& books) {
  std::vector<JobRecord*> jobs;
  jobs.reserve(books.jobs.by_arrival().size());
  books.jobs.by_arrival().for_each([&](JobRecord& job) {
    if (job.is_plannable()) jobs.push_back(&job);
  });
  return jobs;
}

std::vector<PlanJob> plan_jobs(const std::vector<JobRecord*>& jobs) {
  std::vector<PlanJob> all;
  all.reserve(jobs.size());
  for (const JobRecord* job : jobs) {
    all.push_back({&job->view, job->group, job->group_if_guaranteed});
  }
  return all;
}

PlanQuery query_of(Books& books, std::span<const PlanJob> jobs, Scratch& scratch, Instant now) {
  return {now, jobs, books.cluster, *books.policy.admission, *books.policy.estimate, scratch};
}

/// The first multiple of `length` that is not before `at`.
Instant multiple_from(Instant at, Duration length) {
  const Duration since = at.time_since_epoch();
  return Instant{(since / length + (since % length == Duration::zero() ? 0 : 1)) * length};
}

}  // namespace

Reconciler::Reconciler(Books& books)
    : books_(books), wakes_(books.policy.planner->wakes()), pursuits_(books) {}

bool Reconciler::hear(Happening what, JobRecord*, Instant) {
  switch (what) {
    case Happening::arrival:
      woken_ |= wakes_.arrivals;
      return true;
    case Happening::end:
      woken_ |= wakes_.ends;
      return true;
    case Happening::stopped:
      woken_ |= wakes_.stops;
      return true;
    case Happening::failure:
      woken_ |= wakes_.failures;
      return true;
    case Happening::report:
      woken_ |= wakes_.reports;
      return wakes_.reports;
    case Happening::first_step:
      woken_ |= wakes_.starts;
      return woken_ || !pursuits_.empty();  // it may be able to grow now
    case Happening::limited:
      woken_ |= wakes_.limits;
      return woken_ || !pursuits_.empty();
    case Happening::suspended:
      return !pursuits_.empty();
    case Happening::leaving:
    case Happening::reranked:
      break;
  }
  return false;
}

/// Whether a new plan is; sets the time of the first one.
bool Reconciler::is_due(Instant now) {
  const Duration every = wakes_.every;
  if (next_at_ == kNever && books_.unfinished > 0 && !planned_) {
    next_at_ = every > Duration::zero() ? multiple_from(now, every) : now;
  }
  return woken_ || now >= next_at_;
}

void Reconciler::value_nodes(Instant now) {
  if (!is_due(now)) return;
  const std::vector<PlanJob> jobs = plan_jobs(candidates(books_));
  if (jobs.empty()) return;
  Scratch scratch(books_);
  const PlanQuery query = query_of(books_, jobs, scratch, now);
  const auto value = books_.policy.planner->value_nodes(query);
  ensure(value != nullptr, "the power choice asks a planner that does not value nodes");
  books_.policy.power->weigh(books_.cluster, *value);
}

/// On the wall clock a decision comes slightly after its multiple of the round length.
void Reconciler::decide(Instant now, Decision& decision) {
  if (is_due(now)) {
    const Duration every = wakes_.every;
    woken_ = false;
    planned_ = true;
    next_at_ = every > Duration::zero() ? multiple_from(now + Duration{1}, every) : kNever;
    plan(now, decision);
  }
  pursuits_.advance(now, decision);
  if (books_.unfinished > 0) return;
  next_at_ = kNever;
  planned_ = false;
}

/// Asks the planner for a plan.
void Reconciler::plan(Instant now, Decision& decision) {
  const std::vector<JobRecord*> jobs = candidates(books_);
  const std::vector<PlanJob> asked = plan_jobs(jobs);
  Plan plan;
  int usable = 0;
  {
    Scratch scratch(books_);
    usable = scratch.usable_gpus();
    plan = books_.policy.planner->plan(query_of(books_, asked, scratch, now));
  }
  decision.refused_plan = why_impossible(books_, plan, usable, now);
  // Nothing else may wake a planner whose plan was refused.
  if (plan.next > now) next_at_ = std::min(next_at_, plan.next);
  if (decision.refused_plan.empty()) adopt(plan, jobs, now);
}

void Reconciler::adopt(const Plan& plan, const std::vector<JobRecord*>& jobs, Instant now) {
  Targets targets;
  for (const Target& target : plan.targets) targets.insert(target.job, &target);
  for (JobRecord* job : jobs) {
    const Target* target = target_of(targets, *job);
    job->planned_batch = target == nullptr ? std::nullopt : target->batch;
    job->planned_limits = target == nullptr ? DeviceLimits{} : target->limits;
    if (target != nullptr && target->is_promoted) promote(books_, *job);
  }
  pursuits_.set(pursuits_of(books_, plan, targets, jobs, now));
}

}  // namespace mimus::scheduler
