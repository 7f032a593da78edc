// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_ordered_streams.hpp"

#include <algorithm>

namespace mimus::kernels {
namespace {
constexpr Duration kLongestNap = std::chrono::milliseconds{5};
/// Work that no other tenant or member waits for makes good by the end of the step what it is late
/// in between: the clock may go ahead so much further.
constexpr Duration kAloneSlack = std::chrono::milliseconds{10};
}  // namespace

bool HostOrderedStreams::wait(StepStage stage, const TrainingStep::Poll& poll,
                              const std::function<bool()>& done,
                              const std::function<void()>& after_device) {
  stage_ = stage;
  while (true) {
    const WallInstant now = device_.clock().now();
    device_.progress(now);
    if (after_device) after_device();
    for (HostOrderedCollective* collective : collectives_) collective->progress(now);
    if (done()) return true;
    if (poll(now)) return false;
    nap(now);
  }
}

void HostOrderedStreams::nap(WallInstant now) {
  const WallInstant next = wake(now);
  const bool data = std::any_of(collectives_.begin(), collectives_.end(),
                                [](const auto* one) { return one->awaits_data(); });
  if (data) {
    device_.clock().nap_for_message(next);
  } else {
    device_.clock().nap_until(next, next + slack());
  }
}

WallInstant HostOrderedStreams::wake(WallInstant now) const {
  WallInstant next = std::min(device_.wake(), now + kLongestNap);
  for (const HostOrderedCollective* collective : collectives_) {
    next = std::min(next, collective->wake());
  }
  return stage_ == StepStage::input_copy ? std::min(next, device_.input_ready()) : next;
}

Duration HostOrderedStreams::slack() const {
  const bool alone = device_.co_tenants() == 0 &&
                     std::all_of(collectives_.begin(), collectives_.end(),
                                 [](const auto* one) { return one->wake() == kWallNever; });
  return alone ? kAloneSlack : Duration{};
}

}  // namespace mimus::kernels
