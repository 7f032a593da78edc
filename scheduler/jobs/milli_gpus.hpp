// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>

#include "base/time.hpp"

namespace mimus::scheduler {

/// GPUs × nanoseconds of a long run exceed 64 bits: the limit is 292 GPU-years, which 16,384 GPUs
/// reach in a week.
__extension__ using WideInteger = __int128;
/// A sum of times over GPUs or replicas. Only the time of one of them is a Duration again: cast it
/// then, because chrono would narrow it silently.
using WideDuration = std::chrono::duration<WideInteger, std::nano>;

/// An amount of GPUs in thousandths, so that shares of GPUs add up exactly; the unit of `gpu_milli`
/// in Alibaba's trace of 2023.
struct MilliGpus {
  std::int64_t value = 0;

  [[nodiscard]] static constexpr MilliGpus of_gpus(std::int64_t gpus) { return {1000 * gpus}; }
  /// The nearest thousandth of a share in (0, 1], at least one.
  [[nodiscard]] static MilliGpus of_share(double share) {
    return {std::clamp<std::int64_t>(std::llround(share * 1000.0), 1, 1000)};
  }
  [[nodiscard]] constexpr double gpus() const { return static_cast<double>(value) / 1000.0; }

  constexpr auto operator<=>(const MilliGpus&) const = default;
  constexpr MilliGpus& operator+=(MilliGpus o) { return value += o.value, *this; }
  constexpr MilliGpus& operator-=(MilliGpus o) { return value -= o.value, *this; }
  friend constexpr MilliGpus operator+(MilliGpus a, MilliGpus b) { return a += b; }
  friend constexpr MilliGpus operator-(MilliGpus a, MilliGpus b) { return a -= b; }
  friend constexpr MilliGpus operator-(MilliGpus a) { return {-a.value}; }
  friend constexpr MilliGpus operator*(std::int64_t n, MilliGpus a) { return {n * a.value}; }
};
inline constexpr MilliGpus kWholeGpu{1000};

/// GPU time of `time`, a Duration or a WideDuration, with this amount of GPUs, rounded down.
template <class Count>
[[nodiscard]] constexpr auto gpu_time(std::chrono::duration<Count, std::nano> time,
                                      MilliGpus held) {
  if (held == kWholeGpu) return time;
  return decltype(time){static_cast<Count>(WideInteger{time.count()} * held.value / 1000)};
}

/// The least time in which this amount of GPUs gives that many thousandths of a GPU × nanoseconds.
[[nodiscard]] constexpr WideDuration time_for(WideInteger milli_service, MilliGpus held) {
  return WideDuration{(milli_service + held.value - 1) / held.value};
}
[[nodiscard]] constexpr WideDuration time_for(WideDuration service, MilliGpus held) {
  return held == kWholeGpu ? service : time_for(service.count() * 1000, held);
}

}  // namespace mimus::scheduler
