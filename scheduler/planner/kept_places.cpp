// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/kept_places.hpp"

#include <algorithm>

#include "scheduler/preemption/checkpoint.hpp"

namespace mimus::scheduler {

KeptPlaces::KeptPlaces(std::span<const RankedJob> ranking, Placer& placer) : placer_(placer) {
  for (auto job = ranking.rbegin(); job != ranking.rend(); ++job) {
    const JobView& view = *job->job->view;
    const bool stays = view.holds_gpus() && view.state != JobState::stopping;
    if (stays) staying_.push_back({job->rank, &view});
  }
}

std::optional<Target> KeptPlaces::target_of(const RankedJob& job) {
  const JobView& view = *job.job->view;
  if (placer_.counts_only()) return Target{view.id, view.gang};
  pass_over_before(job.rank);
  if (!staying_.empty() && staying_.back().job == &view) {
    staying_.pop_back();
    return Target{view.id, view.gang};
  }
  const PlacementRequest& request = placer_.ask_for(*job.job, view.gang);
  const std::pair key(request.gang, request.level);
  if (without_place_.contains(key)) return std::nullopt;
  if (!placer_.fits()) move_worst_ranked();
  auto place = placer_.find();
  if (!place) {
    without_place_.insert(key);
    return std::nullopt;
  }
  placer_.book(view.id, *place);
  return Target{view.id, std::move(*place)};
}

void KeptPlaces::pass_over_before(const Rank& rank) {
  for (; !staying_.empty() && staying_.back().rank < rank; staying_.pop_back()) {
    placer_.release(staying_.back().job->attempt);
  }
}

void KeptPlaces::move_worst_ranked() {
  std::vector<const JobView*> worse;
  worse.reserve(staying_.size());
  for (const Runner& runner : staying_) worse.push_back(runner.job);
  const std::size_t mark = placer_.released();
  const auto moved = Checkpoint({.min_run = Duration::zero()}).victims(worse, placer_);
  placer_.restore_down_to(mark);
  for (const AttemptId attempt : moved) {
    placer_.release(attempt);
    std::erase_if(staying_, [&](const Runner& runner) { return runner.job->attempt == attempt; });
  }
}

}  // namespace mimus::scheduler
