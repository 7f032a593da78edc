// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <utility>

#include "kernels/cuda/step/replica_memory.hpp"

namespace mimus::kernels::cuda {

/// Weights and moments of a suspended replica, on the device or in pinned host memory. Gradients
/// are not kept: the next step computes new ones.
class SuspendedState {
 public:
  void stay(StateBuffers state) { on_device_ = std::move(state); }
  /// Copies the state to the host and frees its device memory. OutOfMemoryError if the host has no
  /// more memory that it can pin.
  void move_to_host(StateBuffers state, cudaStream_t stream);

  /// What stayed on the device, to be used by the memory of the resumed replica.
  [[nodiscard]] StateBuffers take() { return std::exchange(on_device_, {}); }
  /// Copies what was moved to the host into that memory. Pinned memory is kept for the next
  /// suspension, because pinning takes longer than copying.
  void copy_back(const RegionAddresses& regions, cudaStream_t stream);
  /// Frees both.
  void drop() noexcept { *this = SuspendedState{}; }

 private:
  StateBuffers on_device_;
  PinnedBuffer weights_;
  PinnedBuffer moments_;
  bool is_on_host_ = false;
};

}  // namespace mimus::kernels::cuda
