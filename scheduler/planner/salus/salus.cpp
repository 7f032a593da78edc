// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/salus/salus.hpp"

#include <algorithm>
#include <tuple>

#include "scheduler/order/shortest_remaining.hpp"
#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

bool is_on(const JobView& job, const LaneSet& set) {
  return job.holds_gpus() && job.state != JobState::stopping &&
         std::ranges::equal(job.allocation.slots, set.gpus, {}, &Slot::gpu);
}

}  // namespace

Plan Salus::plan(const PlanQuery& query) {
  jobs_ = {};
  for (const PlanJob& job : query.jobs) jobs_.insert(job.view->id, &job);
  keep_residents(query);
  admit(query);
  Plan plan;
  for (LaneSet& set : sets_) {
    for (Lane& lane : set.lanes) {
      plan.next = std::min(plan.next, give(lane, query.now));
      for (const LaneJob& job : lane.jobs) {
        const bool waits = job.job != lane.active;
        if (waits && !view(job.job).holds_gpus()) continue;
        plan.targets.push_back({.job = job.job,
                                .gpus = allocation_on(set.gpus),
                                .suspended = waits,
                                .keeps = SuspendedMemory::state});
      }
    }
  }
  return plan;
}

/// Jobs that have not started yet are placed by every plan, so that they get GPUs that come free.
void Salus::keep_residents(const PlanQuery& query) {
  newcomers_ = {};
  for (LaneSet& set : sets_) {
    const bool is_usable =
        std::ranges::all_of(set.gpus, [&](GpuId gpu) { return query.placer.usable(gpu); });
    for (Lane& lane : set.lanes) {
      std::erase_if(lane.jobs, [&](LaneJob& job) {
        const PlanJob* const* known = jobs_.find(job.job);
        if (!is_usable || known == nullptr) return true;
        if (!(*known)->view->holds_gpus()) newcomers_.insert(job.job, {set.gpus, job.before});
        if (!is_on(*(*known)->view, set)) return true;
        const Duration before = job.before;
        job = lane_job(*(*known)->view);
        job.before = before;
        return false;
      });
    }
    std::erase_if(set.lanes, [](const Lane& lane) { return lane.jobs.empty(); });
  }
  std::erase_if(sets_, [](const LaneSet& set) { return set.lanes.empty(); });
}

/// Residents count against quotas whether they make steps or not.
void Salus::admit(const PlanQuery& query) {
  NodeRoom room(query.cluster.shape(), query.placer);
  Handout handout(query.admission, settings_.residents * room.left(), query.cluster.shape().gpus());
  for (const LaneSet& set : sets_) {
    static_cast<void>(room.take(set.gpus));
    for (const Lane& lane : set.lanes) {
      for (const LaneJob& job : lane.jobs) {
        handout.count(*jobs_.at(job.job), view(job.job).gang);
      }
    }
  }
  std::vector<std::pair<Rank, const PlanJob*>> waiting;
  for (const PlanJob& job : query.jobs) {
    if (!job.view->holds_gpus()) waiting.emplace_back(rank(*job.view, query.now), &job);
  }
  std::ranges::sort(waiting, {}, &std::pair<Rank, const PlanJob*>::first);
  for (const auto& [rank, job] : waiting) {
    const int gang = job->view->gang;
    if (handout.would_give(*job, gang) != Handout::Answer::given) continue;
    if (take_in(query, *job->view, room)) {
      handout.count(*job, gang);
    }
  }
}

/// On free GPUs, else beside gangs of its size: in a lane of its own if possible, and where the
/// fewest jobs are.
bool Salus::take_in(const PlanQuery& query, const JobView& job, NodeRoom& room) {
  LaneJob entry = lane_job(job);
  if (auto gpus = room.take(job.gang)) {
    sets_.push_back({std::move(*gpus), {}});
    sets_.back().add(entry, 0);
    return true;
  }
  const bool packs = settings_.within == Within::pack;
  const std::size_t most_lanes = packs ? static_cast<std::size_t>(settings_.residents) : 1;
  LaneSet* best = nullptr;
  std::tuple<bool, int> best_key;
  std::size_t best_lane = 0;
  for (LaneSet& set : sets_) {
    const bool has_place =
        static_cast<int>(set.gpus.size()) == job.gang && set.residents() < settings_.residents;
    const auto lane = has_place ? set.lane_for(entry, query.cluster.shape().gpu_memory, most_lanes)
                                : std::nullopt;
    if (!lane) continue;
    const std::tuple key(*lane < set.lanes.size(), set.residents());
    if (best != nullptr && best_key <= key) continue;
    best = &set;
    best_key = key;
    best_lane = *lane;
  }
  if (best == nullptr) return false;
  if (best_lane < best->lanes.size()) {
    const auto least = std::ranges::min(best->lanes[best_lane].jobs, {}, [&](const LaneJob& other) {
      return service(other, query.now);
    });
    entry.before = service(least, query.now) - service(entry, query.now);
    const Newcomer* before = newcomers_.find(job.id);
    if (before != nullptr && before->gpus == best->gpus) entry.before = before->before;
  }
  best->add(entry, best_lane);
  return true;
}

/// Returns when it may change hands; kNever while that depends on what happens.
Instant Salus::give(Lane& lane, Instant now) const {
  const bool is_there = std::ranges::find(lane.jobs, lane.active, &LaneJob::job) != lane.jobs.end();
  const bool in_turns = settings_.within == Within::fair;
  if (in_turns && is_there && now < turn_over(lane)) {
    return lane.jobs.size() == 1 ? kNever : turn_over(lane);
  }
  // The service of the job that has the lane counts half a quantum more. Without that, a turn that
  // its last iteration has made a little longer would be followed by two of the other job.
  const auto rank_of = [&](const LaneJob& job) {
    Rank key = rank(view(job.job), now);
    if (in_turns) key.major = service(job, now).count();
    if (in_turns && is_there && job.job == lane.active) key.major += settings_.quantum.count() / 2;
    return key;
  };
  lane.active = std::ranges::min(lane.jobs, {}, rank_of).job;
  lane.since = now;
  return in_turns && lane.jobs.size() > 1 ? turn_over(lane) : kNever;
}

/// kNever before the job's first step in its turn.
Instant Salus::turn_over(const Lane& lane) const {
  const JobView& job = view(lane.active);
  const bool makes_steps =
      job.state == JobState::running && job.trains() && job.suspension == Suspension::none;
  if (!makes_steps) return kNever;
  return std::max(lane.since, job.active_since) + settings_.quantum;
}

Rank Salus::rank(const JobView& job, Instant now) const {
  if (settings_.within == Within::srtf) return ShortestRemaining({}).rank(job, now);
  return {.arrival = job.arrival, .job = job.id};
}

/// Time in which the job has made steps, and what it was given for those who came before.
Duration Salus::service(const LaneJob& job, Instant now) const {
  const JobView& known = view(job.job);
  return std::chrono::duration_cast<Duration>(known.training_time(now) / known.gpus()) + job.before;
}

}  // namespace mimus::scheduler
