// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>

namespace mimus {

/// All durations are integer nanoseconds, so that sums are exact and order-independent.
using Duration = std::chrono::nanoseconds;

/// The clock of jobs, policies and results. It has no `now()`: an engine owns it. Live: emulated
/// time = wall time since the cell began × time_scale. Virtual: the event clock.
struct EmulatedClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<EmulatedClock, Duration>;
  static constexpr bool is_steady = true;
};
using Instant = EmulatedClock::time_point;

/// The host's monotonic clock; shared by all processes of one host.
using WallClock = std::chrono::steady_clock;
using WallInstant = std::chrono::time_point<WallClock, Duration>;

inline constexpr Instant kNever = Instant::max();

[[nodiscard]] inline WallInstant wall_now() {
  return std::chrono::time_point_cast<Duration>(WallClock::now());
}

/// The same clock (in Linux' C++ libraries CLOCK_MONOTONIC) to within a tick of the kernel (up to
/// 10 ms), at a fraction of the cost. For checks that are far more frequent than the waits they
/// check.
[[nodiscard]] inline WallInstant coarse_wall_now() {
  std::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return WallInstant{std::chrono::seconds{now.tv_sec} + Duration{now.tv_nsec}};
}

/// Seconds to nanoseconds, rounded to nearest and saturated at the representable range.
[[nodiscard]] inline Duration from_seconds(double seconds) {
  constexpr double kLimit = 9.2e9;  // int64 nanoseconds end at about 292 years
  if (seconds >= kLimit) return Duration::max();
  if (seconds <= -kLimit) return Duration::min();
  return Duration{static_cast<std::int64_t>(std::llround(seconds * 1e9))};
}

/// Correctly rounded: whole seconds stay whole.
[[nodiscard]] constexpr double to_seconds(Duration d) {
  return static_cast<double>(d.count()) / 1e9;
}

/// Seconds since the cell began.
[[nodiscard]] constexpr double to_seconds(Instant t) {
  return to_seconds(t.time_since_epoch());
}

[[nodiscard]] inline Duration scale(Duration d, double factor) {
  return from_seconds(to_seconds(d) * factor);
}

}  // namespace mimus
