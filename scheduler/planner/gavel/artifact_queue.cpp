// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/artifact_queue.hpp"

#include <algorithm>
#include <utility>

namespace mimus::scheduler {

TimeFractions ArtifactQueue::fractions(std::span<const PlanJob> jobs, const SharedTypes& shared,
                                       std::vector<std::size_t> types) {
  gpus_left_ = shared.gpus;
  queue_.clear();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!type_of_.contains(jobs[i].view->id)) queue_.push_back(i);
  }
  pass_on_types(jobs, shared);
  std::erase_if(types, [&](std::size_t type) { return gpus_left_[type] <= 0.0; });
  give_types(jobs, shared, std::move(types));
  TimeFractions fractions(jobs.size(), std::vector<double>(shared.gpus.size(), 0.0));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto held = type_of_.find(jobs[i].view->id);
    if (held != type_of_.end()) fractions[i][held->second] = 1.0;
  }
  return fractions;
}

/// Jobs are taken in the order of their arrival, so that GPUs of later ones still count as free. A
/// successor that does not fit loses its place until the next computation.
void ArtifactQueue::pass_on_types(std::span<const PlanJob> jobs, const SharedTypes& shared) {
  std::map<JobId, std::size_t> place_of;
  for (std::size_t i = 0; i < jobs.size(); ++i) place_of.emplace(jobs[i].view->id, i);
  for (const auto& [job, type] : std::exchange(type_of_, {})) {
    const auto place = place_of.find(job);
    if (place != place_of.end()) {
      gpus_left_[type] -= shared.jobs[place->second].gang;
      type_of_.emplace(job, type);
      continue;
    }
    if (queue_.empty()) continue;
    const std::size_t next = queue_.front();
    queue_.pop_front();
    if (shared.jobs[next].gang > gpus_left_[type]) continue;
    gpus_left_[type] -= shared.jobs[next].gang;
    type_of_.emplace(jobs[next].view->id, type);
  }
}

void ArtifactQueue::give_types(std::span<const PlanJob> jobs, const SharedTypes& shared,
                               std::vector<std::size_t> types) {
  for (; !queue_.empty() && !types.empty(); queue_.pop_front()) {
    const int gang = shared.jobs[queue_.front()].gang;
    std::vector<std::size_t> fitting;  // places in `types`
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (gpus_left_[types[i]] >= gang) fitting.push_back(i);
    }
    if (fitting.empty()) return;
    const std::size_t drawn =
        fitting[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(fitting.size())))];
    const std::size_t given = types.back();
    type_of_.emplace(jobs[queue_.front()].view->id, given);
    gpus_left_[given] -= gang;
    if (gpus_left_[given] == 0.0) types.erase(types.begin() + static_cast<std::ptrdiff_t>(drawn));
  }
}

}  // namespace mimus::scheduler
