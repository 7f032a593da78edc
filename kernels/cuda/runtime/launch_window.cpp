// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/launch_window.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace mimus::kernels::cuda {
namespace {
constexpr Duration kNap = std::chrono::microseconds{20};
constexpr Duration kPollInterval = std::chrono::milliseconds{1};
}  // namespace

bool LaunchWindow::admit(cudaStream_t stream, const Size& launch, const Poll& poll) {
  return make_room(stream, launch.commands, poll) && keep_pace(launch.kernels, poll);
}

bool LaunchWindow::make_room(cudaStream_t stream, std::int64_t commands, const Poll& poll) {
  if (marked_ == kFences && !pass_oldest(poll)) return false;
  if (since_fence_ > 0 && since_fence_ + commands > kCommandsPerFence) mark(stream);
  while (marked_ > 0 && ahead_ + commands > kMostAhead) {
    if (!pass_oldest(poll)) return false;
  }
  since_fence_ += commands;
  ahead_ += commands;
  return true;
}

/// The next launch comes when a framework would have launched all `kernels` of this one.
bool LaunchWindow::keep_pace(std::int64_t kernels, const Poll& poll) {
  WallInstant now = wall_now();
  for (; now < next_; now = wall_now()) {  // mostly microseconds, which is shorter than any sleep
    if (poll(now)) return false;
  }
  next_ = std::max(next_, now - kPollInterval) + kernels * gap_;
  return true;
}

void LaunchWindow::mark(cudaStream_t stream) {
  Fence& fence = fences_[(oldest_ + marked_) % kFences];
  fence.event.record(stream);
  fence.commands = std::exchange(since_fence_, 0);
  ++marked_;
}

bool LaunchWindow::pass_oldest(const Poll& poll) {
  const Fence& fence = fences_[oldest_];
  while (!fence.event.passed()) {
    if (poll(wall_now())) return false;
    std::this_thread::sleep_for(kNap);
  }
  ahead_ -= fence.commands;
  oldest_ = (oldest_ + 1) % kFences;
  --marked_;
  return true;
}

}  // namespace mimus::kernels::cuda
