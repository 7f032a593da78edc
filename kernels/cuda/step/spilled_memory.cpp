// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/spilled_memory.hpp"

#include <algorithm>

#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {

void SpilledMemory::hold(const MemoryPlan& plan) {
  bytes_ = plan.limit.spilled;
  staging_ = DeviceBuffer(static_cast<std::size_t>(plan.staging()));
  if (pinned_.bytes() >= bytes_) return;
  pinned_ = {};
  pinned_ = PinnedBuffer(static_cast<std::size_t>(bytes_));
}

std::int64_t SpilledMemory::copies() const {
  return any() ? (bytes_ + staging_.bytes() - 1) / staging_.bytes() : 0;
}

void SpilledMemory::copy(cudaStream_t stream) const {
  for (std::int64_t done = 0; done < bytes_; done += staging_.bytes()) {
    const auto piece = static_cast<std::size_t>(std::min(staging_.bytes(), bytes_ - done));
    check_cuda(cudaMemcpyAsync(staging_.as<std::byte>(), pinned_.as<std::byte>() + done, piece,
                               cudaMemcpyHostToDevice, stream),
               "cudaMemcpyAsync");
  }
}

}  // namespace mimus::kernels::cuda
