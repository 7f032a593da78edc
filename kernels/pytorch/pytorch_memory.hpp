// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/pytorch/allocation_log.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

struct MicroBatchLaunches;
struct PlanSettings;
struct ReplicaLayout;

/// Everything for which a training step takes memory in PyTorch. [bytes]
struct StepAllocations {
  std::vector<AllocationEvent> model;  ///< as it is made: what is not released stays
  std::vector<std::int64_t> updated;   ///< parameters, or those of one rank's part of the optimiser
  int moments = 1;                     ///< that the optimiser keeps of each of them
  bool temporary = false;              ///< whether its update makes one more
  std::vector<std::int64_t> inputs;
  std::vector<AllocationEvent> events;  ///< of forward and backward pass of a micro-batch
  std::int64_t micro_batches = 1;
};

/// Work space of libraries, which PyTorch takes of the same memory. [bytes]
struct WorkSpaces {
  /// Of cuBLAS, one per pass that multiplies matrices. PyTorch's size on Hopper; elsewhere 8 MiB.
  std::int64_t product = 32 << 20;
  /// Of each launch while it runs, forward pass first; what is not there takes none. Depends on the
  /// algorithms of convolutions, which only a device chooses.
  std::vector<std::int64_t> by_launch{};
};

/// The most at any one time. [bytes]
struct PeakMemory {
  std::int64_t allocated = 0;
  std::int64_t reserved = 0;
  std::int64_t product = 0;  ///< of both: work space of cuBLAS
};

/// What PyTorch would ask of its allocator for a step of `model`: its `micro_batches`, each with an
/// input of so many bytes and the `launches` of both passes.
[[nodiscard]] StepAllocations pytorch_allocations(
    const workloads::Model& model, const ReplicaLayout& layout, const PlanSettings& settings,
    const MicroBatchLaunches& launches, std::int64_t input_bytes, std::int64_t micro_batches);

/// What PyTorch's caching allocator allocates and reserves for steps as they go on: the sizes that
/// a step asks for are no fit for what others have left, so it reserves more. As a reference is
/// measured: the model, a first step, at whose end the optimiser makes its moments, two more; then
/// the cache is emptied, and three steps are taken.
[[nodiscard]] PeakMemory peak_memory(const StepAllocations& step, const WorkSpaces& work = {});

}  // namespace mimus::kernels
