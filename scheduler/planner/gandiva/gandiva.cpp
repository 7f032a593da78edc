// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gandiva/gandiva.hpp"

#include <algorithm>

#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

Allocation allocation_of(const Seat& seat) {
  Allocation allocation;
  for (const GpuId gpu : seat.gpus) allocation.slots.push_back({gpu, LaneId{}});
  return allocation;
}

}  // namespace

Plan Gandiva::plan(const PlanQuery& query) {
  seats_.update(query);
  take_in_waiting(query);
  IdMap<JobId, const PlanJob*> jobs;
  for (const PlanJob& job : query.jobs) jobs.insert(job.view->id, &job);
  Plan plan;
  for (Seat& seat : seats_.all()) {
    plan.next = std::min(plan.next, turn(seat, jobs, query.now));
    for (const JobId job : seat.residents) {
      const bool has_turn = job == seat.residents.front();
      if (has_turn || jobs.at(job)->view->holds_gpus()) {
        plan.targets.push_back({.job = job, .gpus = allocation_of(seat), .suspended = !has_turn});
      }
    }
  }
  return plan;
}

/// Residents count against quotas whether they have the turn or not.
void Gandiva::take_in_waiting(const PlanQuery& query) {
  const int places = settings_.residents * query.placer.usable_gpus();
  Handout handout(query.admission, places, query.cluster.shape().gpus());
  for (const PlanJob& job : query.jobs) {
    if (seats_.holds(job.view->id)) static_cast<void>(handout.give(job, job.view->gang));
  }
  for (const PlanJob& job : query.jobs) {
    const bool waits = !seats_.holds(job.view->id) && !job.view->holds_gpus();
    if (!waits || handout.would_give(job, job.view->gang) != Handout::Answer::given) continue;
    if (seats_.take_in(query, *job.view)) static_cast<void>(handout.give(job, job.view->gang));
  }
}

/// Gives the turn to the next resident if the first one's is over. Returns when it is; kNever while
/// that depends on its next step, or if there is no other.
Instant Gandiva::turn(Seat& seat, const IdMap<JobId, const PlanJob*>& jobs, Instant now) const {
  if (seat.residents.size() == 1) return kNever;
  const JobView& first = *jobs.at(seat.residents.front())->view;
  if (!first.trains() || first.suspension != Suspension::none) return kNever;
  const Instant over = first.active_since + settings_.slice;
  if (now < over) return over;
  seat.residents.push_back(seat.residents.front());
  seat.residents.pop_front();
  return kNever;
}

}  // namespace mimus::scheduler
