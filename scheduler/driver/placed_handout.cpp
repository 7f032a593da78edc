// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/placed_handout.hpp"

#include <algorithm>

#include "scheduler/driver/state.hpp"
#include "scheduler/preemption/checkpoint.hpp"

namespace mimus::scheduler {

PlacedHandout::PlacedHandout(State& state, std::span<JobRecord* const> jobs, int gpus, Instant now)
    : Handout(*state.policy.admission, gpus, state.cluster.shape().gpus()),
      state_(state),
      now_(now),
      room_(state.cluster, state.fit) {
  for (const JobRecord* job : jobs) {
    if (!job->view.holds_gpus()) continue;
    if (job->view.state == JobState::stopping) {
      room_.release(job->view.attempt);
    } else {
      staying_.push_back({state.policy.order->rank(job->view, now), &job->view});
    }
  }
  std::sort(staying_.begin(), staying_.end(),
            [](const Runner& a, const Runner& b) { return b.rank < a.rank; });
}

bool PlacedHandout::find_place(const Contender& contender, int) {
  const JobView& view = *contender.job;
  pass_over_before(state_.policy.order->rank(view, now_));
  if (!staying_.empty() && staying_.back().job == &view) {
    staying_.pop_back();
    return true;
  }
  const PlacementRequest request = request_of(state_.jobs.at(view.id));
  if (without_place_.contains({request.gang, request.level})) return false;
  room_.ask_for(request);
  if (!room_.fits()) stop_worst_ranked();
  auto found = room_.find();
  if (!found) {
    without_place_.insert({request.gang, request.level});
    return false;
  }
  room_.promise(view.id, *found);
  places_.emplace(view.id, std::move(*found));
  return true;
}

void PlacedHandout::pass_over_before(const Rank& rank) {
  for (; !staying_.empty() && staying_.back().rank < rank; staying_.pop_back()) {
    room_.release(staying_.back().job->attempt);
  }
}

/// A job that has yet to be stopped asks as one that has just begun to wait.
PlacementRequest PlacedHandout::request_of(const JobRecord& job) const {
  if (job.request != nullptr) return job.placement_request();
  return {.gang = job.view.gang, .share = job.view.share, .draw = draw_of(job.view)};
}

void PlacedHandout::stop_worst_ranked() {
  std::vector<const JobView*> worse;
  worse.reserve(staying_.size());
  for (const Runner& runner : staying_) worse.push_back(runner.job);
  const std::size_t mark = room_.released();
  const auto stopped = Checkpoint(Duration::zero()).victims(worse, room_);
  room_.restore_down_to(mark);
  for (const AttemptId attempt : stopped) {
    room_.release(attempt);
    std::erase_if(staying_, [&](const Runner& runner) { return runner.job->attempt == attempt; });
  }
}

}  // namespace mimus::scheduler
