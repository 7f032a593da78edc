// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A gang in a lane, with the memory that it is estimated to need on each of its GPUs.
struct LaneJob {
  JobId job;
  Bytes persistent{};  ///< at all times
  Bytes ephemeral{};   ///< in addition while it makes steps
  Duration before{};   ///< service that counts as received before its arrival
};
[[nodiscard]] LaneJob lane_job(const JobView& job);

/// Memory for gangs that make steps one at a time.
struct Lane {
  std::vector<LaneJob> jobs;
  JobId active;     ///< has the lane: makes steps, or will make them next
  Instant since{};  ///< when it was given the lane
  /// The largest ephemeral memory of its jobs.
  [[nodiscard]] Bytes size() const;
};

/// GPUs that gangs of one size hold together, and the lanes on them. They fit if the persistent
/// memory of all jobs and the sizes of all lanes do. Source: Salus (Yu and Chowdhury, MLSys'20,
/// §3.3).
struct LaneSet {
  std::vector<GpuId> gpus;
  std::vector<Lane> lanes;

  [[nodiscard]] int residents() const;
  /// Memory that its jobs and one more in lane `lane` need on each GPU; lanes.size() for a new
  /// lane.
  [[nodiscard]] Bytes memory_with(const LaneJob& job, std::size_t lane) const;
  /// The lane for one more job: a new one if possible, otherwise the one that has to grow least
  /// and, of these, the smallest. Nothing if the job does not fit. A `capacity` of 0 is not known.
  [[nodiscard]] std::optional<std::size_t> lane_for(const LaneJob& job, Bytes capacity,
                                                    std::size_t most_lanes) const;
  void add(const LaneJob& job, std::size_t lane);
};

}  // namespace mimus::scheduler
