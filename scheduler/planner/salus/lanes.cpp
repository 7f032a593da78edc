// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/salus/lanes.hpp"

#include <algorithm>
#include <utility>

#include "scheduler/planner/replica_memory.hpp"

namespace mimus::scheduler {

LaneJob lane_job(const JobView& job) {
  return {job.id, job.model.base_memory, replica_memory(job) - job.model.base_memory};
}

Bytes Lane::size() const {
  Bytes most{};
  for (const LaneJob& job : jobs) most = std::max(most, job.ephemeral);
  return most;
}

int LaneSet::residents() const {
  std::size_t jobs = 0;
  for (const Lane& lane : lanes) jobs += lane.jobs.size();
  return static_cast<int>(jobs);
}

Bytes LaneSet::memory_with(const LaneJob& job, std::size_t lane) const {
  Bytes memory = job.persistent;
  if (lane == lanes.size()) memory += job.ephemeral;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    for (const LaneJob& other : lanes[i].jobs) memory += other.persistent;
    memory += i == lane ? std::max(lanes[i].size(), job.ephemeral) : lanes[i].size();
  }
  return memory;
}

std::optional<std::size_t> LaneSet::lane_for(const LaneJob& job, Bytes capacity,
                                             std::size_t most_lanes) const {
  const auto fits = [&](std::size_t lane) {
    return capacity == Bytes{} || memory_with(job, lane) <= capacity;
  };
  if (lanes.size() < most_lanes && fits(lanes.size())) return lanes.size();
  std::optional<std::size_t> best;
  const auto growth_and_size = [&](std::size_t lane) {
    const Bytes size = lanes[lane].size();
    return std::pair(std::max(Bytes{}, job.ephemeral - size), size);
  };
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (!fits(lane)) continue;
    if (!best || growth_and_size(lane) < growth_and_size(*best)) best = lane;
  }
  return best;
}

void LaneSet::add(const LaneJob& job, std::size_t lane) {
  if (lane == lanes.size()) lanes.emplace_back();
  lanes[lane].jobs.push_back(job);
}

}  // namespace mimus::scheduler
