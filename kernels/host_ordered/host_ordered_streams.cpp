// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_ordered/host_ordered_streams.hpp"

#include <algorithm>

namespace mimus::kernels {
namespace {
constexpr Duration kLongestNap = std::chrono::milliseconds{5};
/// While no other member waits for its work, a rank may fall behind and catch up before others see
/// what it has done. The clock may therefore run ahead of it by this much more.
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
  tell_who_shares_links(now);
  tell_who_shares_device(now);
  const bool awaited = std::any_of(collectives_.begin(), collectives_.end(),
                                   [](const auto* one) { return one->awaits_members(); });
  if (awaited) {
    device_.clock().nap_for_message(wake(now));
  } else {
    const WallInstant next = due(now);
    const WallInstant latest = seen_from() + PaceClock::kHaveTold - PaceClock::kWindow;
    device_.clock().nap_until(wake(now), std::max(next, std::min(next + slack(), latest)));
  }
}

/// Work that is enqueued next is ready no earlier than the kernels before it. A stream that is
/// stalled continues because of what others do, and no rank is further behind than the clock
/// allows.
void HostOrderedStreams::tell_who_shares_links(WallInstant now) {
  WallInstant quiet = device_.due();
  if (device_.completed() < nothing_before_) {
    quiet = seen_from();
  } else if (stage_ == StepStage::input_copy) {
    quiet = std::max(device_.last_completion(), device_.input_ready());
  } else if (quiet == kWallNever) {
    quiet = now - PaceClock::kWindow;
  }
  for (HostOrderedCollective* collective : collectives_) collective->quiet_until(quiet);
}

/// Work that is launched next begins no earlier than the end of what it waits for.
void HostOrderedStreams::tell_who_shares_device(WallInstant now) {
  WallInstant quiet = device_.wake();
  if (quiet == kWallNever && stage_ == StepStage::input_copy) {
    quiet = device_.input_ready();
  } else if (quiet == kWallNever) {
    for (const HostOrderedCollective* collective : collectives_) {
      quiet = std::min(quiet, collective->no_earlier(now));
    }
    if (quiet == kWallNever) quiet = now - PaceClock::kWindow;
  }
  device_.quiet_until(std::max(quiet, device_.last_completion()));
}

WallInstant HostOrderedStreams::wake(WallInstant now) const {
  WallInstant next = std::min(device_.wake(), now + kLongestNap);
  for (const HostOrderedCollective* collective : collectives_) {
    next = std::min(next, collective->wake());
  }
  return stage_ == StepStage::input_copy ? std::min(next, device_.input_ready()) : next;
}

WallInstant HostOrderedStreams::due(WallInstant now) const {
  WallInstant next = std::min(device_.due(), now + kLongestNap);
  for (const HostOrderedCollective* collective : collectives_) {
    next = std::min(next, collective->due());
  }
  return stage_ == StepStage::input_copy ? std::min(next, device_.input_ready()) : next;
}

/// The earliest instant at which others may see what the device has done: a bucket is reduced, or
/// the step ends.
WallInstant HostOrderedStreams::seen_from() const {
  return device_.completed() < nothing_before_ ? device_.no_earlier(nothing_before_)
                                               : device_.last_completion();
}

/// Gangs on the same links and tenants of a GPU wait for each other through the books, whatever the
/// clock does. If one collective continues because of another, they also rely on the clock.
Duration HostOrderedStreams::slack() const {
  const bool idle = std::all_of(collectives_.begin(), collectives_.end(),
                                [](const auto* one) { return one->wake() == kWallNever; });
  const bool by_clock =
      collectives_.size() > 1 && std::any_of(collectives_.begin(), collectives_.end(),
                                             [](const auto* one) { return one->shares_links(); });
  return idle && !by_clock ? kAloneSlack : Duration{};
}

}  // namespace mimus::kernels
