// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "scheduler/jobs/host_need.hpp"
#include "scheduler/jobs/milli_gpus.hpp"

namespace mimus::scheduler {

/// The worst link between any two members of a gang.
enum class Locality { same_gpu, same_island, same_node, same_rack, across_racks };
[[nodiscard]] const char* name(Locality locality);

/// One GPU's share that an attempt holds, and the lane (tenant slot) it runs in.
struct Slot {
  GpuId gpu;
  LaneId lane;
  auto operator<=>(const Slot&) const = default;
};

/// The resources of an attempt: one slot per replica, in rank order, on distinct GPUs. A job
/// without GPUs has no slots, but a node.
struct Allocation {
  std::vector<Slot> slots;
  MilliGpus share = kWholeGpu;  ///< of each of these GPUs, if the sharing choice divides them
  HostNeed host{};              ///< of all its nodes together, by HostNeed::part of each replica
  NodeId node{};                ///< node of a job without GPUs, else none
  [[nodiscard]] MilliGpus held() const { return static_cast<std::int64_t>(slots.size()) * share; }
  bool operator==(const Allocation&) const = default;
};

/// An allocation of these GPUs, on lanes that are not chosen yet.
[[nodiscard]] Allocation allocation_on(std::span<const GpuId> gpus);

/// Whether a gang that continues without a restart (ResizeAttempt) does so elsewhere.
[[nodiscard]] inline bool is_move(const Allocation& before, const Allocation& next) {
  return before.slots.front() != next.slots.front();
}

/// How a step's total batch is split: total = replicas × per_gpu × accumulation.
struct BatchPlan {
  std::int64_t per_gpu = 1;  ///< samples per replica and micro-batch
  int accumulation = 1;      ///< micro-batches per step, ≥ 1
  [[nodiscard]] std::int64_t total(std::size_t replicas) const {
    return per_gpu * accumulation * static_cast<std::int64_t>(replicas);
  }
  bool operator==(const BatchPlan&) const = default;
};

}  // namespace mimus::scheduler
