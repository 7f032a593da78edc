// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_ordered_streams.hpp"

#include <algorithm>
#include <thread>

namespace mimus::kernels {
namespace {
constexpr Duration kLongestNap = std::chrono::milliseconds{5};
}

bool HostOrderedStreams::wait(StepStage stage, const TrainingStep::Poll& poll,
                              const std::function<bool()>& done,
                              const std::function<void()>& after_device) {
  stage_ = stage;
  while (true) {
    const WallInstant now = wall_now();
    device_.progress(now);
    if (after_device) after_device();
    for (HostOrderedCollective* collective : collectives_) collective->progress(now);
    if (done()) return true;
    if (poll(now)) return false;
    const WallInstant next = wake(now);
    if (next > now) std::this_thread::sleep_until(next);
  }
}

WallInstant HostOrderedStreams::wake(WallInstant now) const {
  WallInstant next = std::min(device_.wake(), now + kLongestNap);
  for (const HostOrderedCollective* collective : collectives_) {
    next = std::min(next, collective->wake());
  }
  return stage_ == StepStage::input_copy ? std::min(next, device_.input_ready()) : next;
}

}  // namespace mimus::kernels
