// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gandiva/gandiva.hpp"

#include <algorithm>

#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

/// The job makes steps, and neither stops, moves nor is suspended.
bool is_active(const JobView& job) {
  return job.state == JobState::running && job.trains() && job.suspension == Suspension::none;
}

}  // namespace

Plan Gandiva::plan(const PlanQuery& query) {
  seats_.update(query);
  packing_.forget_others(query);
  Jobs jobs;
  for (const PlanJob& job : query.jobs) jobs.insert(job.view->id, &job);
  if (settings_.grows && is_any_waiting(query)) seats_.shrink_all(query.cluster.shape());
  take_in_waiting(query);
  if (settings_.migrates) move_to_free_gpus(query, jobs);
  Plan plan;
  if (settings_.grows && !is_any_waiting(query)) plan.next = grow(query, jobs);
  for (Seat& seat : seats_.all()) {
    plan.next = std::min(plan.next, turn(seat, jobs, query.now));
    for (const Turn& turn : seat.turns) {
      const bool is_first = &turn == &seat.turns.front();
      for (const JobId job : turn) {
        if (!is_first && !jobs.at(job)->view->holds_gpus()) continue;
        plan.targets.push_back(
            {.job = job, .gpus = allocation_on(seat.gpus), .suspended = !is_first});
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
    if (seats_.holds(job.view->id)) handout.count(job, job.view->gang);
  }
  const auto may_move = [&](JobId id) -> const JobView* {
    const auto found =
        std::ranges::find(query.jobs, id, [](const PlanJob& job) { return job.view->id; });
    return is_active(*found->view) ? found->view : nullptr;
  };
  for (const PlanJob& job : query.jobs) {
    const bool waits = !seats_.holds(job.view->id) && !job.view->holds_gpus();
    if (!waits || handout.would_give(job, job.view->gang) != Handout::Answer::given) continue;
    if (settings_.migrates) seats_.make_room(query, job.view->gang, may_move);
    if (seats_.take_in(query, *job.view)) handout.count(job, job.view->gang);
  }
}

bool Gandiva::is_any_waiting(const PlanQuery& query) const {
  return std::ranges::any_of(query.jobs, [this](const PlanJob& job) {
    return !seats_.holds(job.view->id) && !job.view->holds_gpus();
  });
}

/// Jobs about whose speed nothing is believed do not grow.
Instant Gandiva::grow(const PlanQuery& query, const Jobs& jobs) {
  const auto gain = [&](JobId id, int gpus) -> std::optional<double> {
    const JobView& job = *jobs.at(id)->view;
    if (gpus >= job.most_gpus() || job.rigid || !is_active(job)) return std::nullopt;
    const std::int64_t samples = job.batch.total(job.allocation.slots.size());
    const auto speed_on = [&](int count) {
      const StepRate rate = query.estimate.rate_on(job, {.nodes = 1, .gpus = count});
      return rate ? rate({.per_gpu = (samples + count - 1) / count}).value_or(0.0) : 0.0;
    };
    const double asked = speed_on(job.requested_gang);
    if (asked <= 0.0) return std::nullopt;
    return (speed_on(gpus + 1) - speed_on(gpus)) / asked;
  };
  const Instant next = seats_.grow(query.cluster.shape(), query.now - settings_.slice, gain);
  return next == kNever ? kNever : next + settings_.slice;
}

/// Of jobs that take turns, the one that makes steps takes GPUs that are free.
void Gandiva::move_to_free_gpus(const PlanQuery& query, const Jobs& jobs) {
  std::vector<Seat*> shared;
  for (Seat& seat : seats_.all()) {
    if (seat.turns.size() > 1) shared.push_back(&seat);
  }
  for (Seat* seat : shared) {
    const Turn& first = seat->turns.front();
    const JobView& job = *jobs.at(first.front())->view;
    if (first.size() == 1 && is_active(job)) static_cast<void>(seats_.move_out(query, *seat, job));
  }
}

/// Gives the turn to the next jobs if that of the first ones is over. Returns when that may change:
/// at the end of the turn or of the trial of a pair; kNever while that depends on their next steps,
/// or if there is nothing to change.
Instant Gandiva::turn(Seat& seat, const Jobs& jobs, Instant now) {
  const Instant reviewed = settings_.packs ? packing_.review(seat, now) : kNever;
  const Instant over = turn_over(seat, jobs);
  if (now < over) return std::min(over, reviewed);
  seat.turns.push_back(std::move(seat.turns.front()));
  seat.turns.pop_front();
  seat.turn_since = now;
  if (settings_.packs) packing_.try_pair(seat, now);
  return std::min(turn_over(seat, jobs), settings_.packs ? packing_.review(seat, now) : kNever);
}

/// When the jobs of the first turn have made steps for a slice in it; kNever if nobody waits for
/// that, or if one of them makes none yet.
Instant Gandiva::turn_over(const Seat& seat, const Jobs& jobs) const {
  if (seat.turns.size() == 1) return kNever;
  Instant begin = seat.turn_since;
  for (const JobId job : seat.turns.front()) {
    const JobView& view = *jobs.at(job)->view;
    if (!is_active(view)) return kNever;
    begin = std::max(begin, view.active_since);
  }
  return begin + settings_.slice;
}

}  // namespace mimus::scheduler
