// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/cuda_memory.hpp"
#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/plan/launch_plan.hpp"

namespace mimus::kernels::cuda {

/// The device memory of a replica's weights and moments, which outlives the rest while it is
/// suspended.
struct StateBuffers {
  DeviceBuffer weights;
  DeviceBuffer moments;
};

/// The device memory of one replica, really allocated: its regions, two inputs (so that the next
/// one is copied while a step runs), and the fragments of a caching allocator. Filled with random
/// numbers, never zero, because processors take less power and run faster on zeros.
class ReplicaMemory {
 public:
  /// `halves`: type of the plan's elements of two bytes. `state`: of a suspended replica with this
  /// plan, used in place of new memory with what it contains. Throws OutOfMemoryError if the device
  /// cannot hold it, with nothing allocated.
  ReplicaMemory(const MemoryPlan& plan, Arithmetic halves, cudaStream_t stream,
                StateBuffers state = {});

  /// The replica has no weights and moments after this; no step may run.
  [[nodiscard]] StateBuffers give_state_up();

  /// Holds this many more bytes, which are not used. OutOfMemoryError.
  void hold_fragments(std::int64_t bytes);
  [[nodiscard]] const RegionAddresses& regions() const { return regions_; }
  /// Copies one step's input from pinned host memory into the buffer that is not in use.
  void copy_input(cudaStream_t stream);
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  void fill(Arithmetic halves, bool keeps_state, cudaStream_t stream);

  std::array<DeviceBuffer, kRegions> buffers_;
  RegionAddresses regions_;
  DeviceBuffer fragments_;
  std::array<DeviceBuffer, 2> inputs_;
  PinnedBuffer host_input_;
  std::int64_t bytes_ = 0;
  std::size_t next_input_ = 0;
};

}  // namespace mimus::kernels::cuda
