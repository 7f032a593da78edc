// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/cuda_memory.hpp"
#include "kernels/plan/launch_plan.hpp"

namespace mimus::kernels::cuda {

/// The part of a replica's memory that a limit has moved to the host, in pinned memory. It takes
/// room there and time on the link. Tensors on the device do not depend on what it contains.
class SpilledMemory {
 public:
  /// Also the device memory into which it is copied piece by piece. OutOfMemoryError if the device
  /// has no more, or the host no more that it can pin.
  void hold(const MemoryPlan& plan);
  /// Frees the device memory. Pinned memory is kept for later limits, because pinning takes longer
  /// than copying.
  void leave_device() noexcept { staging_ = {}; }
  void drop() noexcept { *this = SpilledMemory{}; }
  [[nodiscard]] bool any() const { return bytes_ > 0; }
  [[nodiscard]] std::int64_t device_bytes() const { return staging_.bytes(); }

  /// Commands that copy() puts on a stream.
  [[nodiscard]] std::int64_t copies() const;
  void copy(cudaStream_t stream) const;

 private:
  PinnedBuffer pinned_;
  DeviceBuffer staging_;
  std::int64_t bytes_ = 0;
};

}  // namespace mimus::kernels::cuda
