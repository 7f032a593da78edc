// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/launch_window.hpp"

#include <algorithm>
#include <thread>

namespace mimus::kernels::cuda {
namespace {
constexpr Duration kNap = std::chrono::microseconds{20};
constexpr Duration kPollInterval = std::chrono::milliseconds{1};
}  // namespace

bool LaunchWindow::admit(cudaStream_t stream, const Poll& poll) {
  if (++since_fence_ == kLaunchesPerFence) {
    since_fence_ = 0;
    if (!pass_fence(stream, poll)) return false;
  }
  WallInstant now = wall_now();
  while (now < next_) now = wall_now();  // microseconds: shorter than any sleep
  next_ = std::max(next_, now - kPollInterval) + gap_;
  return true;
}

/// Marks this point of the stream and waits until the mark of kFences marks ago has been passed.
bool LaunchWindow::pass_fence(cudaStream_t stream, const Poll& poll) {
  Event& fence = fences_[oldest_];
  oldest_ = (oldest_ + 1) % kFences;
  while (!fence.passed()) {
    if (poll(wall_now())) return false;
    std::this_thread::sleep_for(kNap);
  }
  fence.record(stream);
  return true;
}

}  // namespace mimus::kernels::cuda
