// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/engine.hpp"
#include "kernels/parallel/split_plan.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// Memory that attempts take on each GPU. Attempts without a model take none.
class GpuMemory {
 public:
  explicit GpuMemory(scheduler::ClusterShape shape)
      : shape_(std::move(shape)), used_(static_cast<std::size_t>(shape_.gpus())) {}

  using Keeps = scheduler::SuspendedMemory;
  void take(const Attempt& attempt, Keeps keeps = Keeps::all) { add(attempt, keeps, +1.0); }
  void give_back(const Attempt& attempt, Keeps keeps = Keeps::all) { add(attempt, keeps, -1.0); }
  /// A GPU of the attempt on which more memory is taken than it has, if any.
  [[nodiscard]] std::optional<GpuId> overfull(const Attempt& attempt) const;
  /// Memory of the attempt on each of its GPUs, with its current batch and limits.
  [[nodiscard]] Bytes need(const Attempt& attempt, Keeps keeps = Keeps::all);

 private:
  void add(const Attempt& attempt, Keeps keeps, double sign);

  scheduler::ClusterShape shape_;
  std::vector<Bytes> used_;
  std::map<const workloads::Model*, kernels::MemoryNeed> needs_;  ///< of models seen
};

}  // namespace mimus::emulator
