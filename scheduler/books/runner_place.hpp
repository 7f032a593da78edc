// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// A running job's rank with `major` extrapolated to time zero at its drift, so that it holds until
/// the next change of the rank: jobs of equal drift are ordered alike at every instant. A drift
/// that is no multiple of 1000 moves `minor` too; `major` then holds both, in thousandths. Service
/// is GPUs × nanoseconds; extrapolated to time zero it can leave 64 bits.
struct SteadyRank {
  WideInteger major = 0;
  std::int64_t minor = 0;
  std::int64_t tie = 0;
  Instant arrival{};
  JobId job;
  auto operator<=>(const SteadyRank&) const = default;

  /// `time`: see Order::rank_time.
  [[nodiscard]] static SteadyRank of(const Rank& rank, std::int64_t drift, Instant time) {
    if (drift % 1000 == 0) {
      return {rank.major - advance(drift / 1000, time), rank.minor, rank.tie, rank.arrival,
              rank.job};
    }
    const WideInteger both = WideInteger{rank.major} * 1000 + rank.minor;
    return {both - advance(drift, time), 0, rank.tie, rank.arrival, rank.job};
  }
  [[nodiscard]] Rank at(std::int64_t drift, Instant time) const {
    if (drift % 1000 == 0) {
      return {major + advance(drift / 1000, time), minor, tie, arrival, job};
    }
    Rank rank{0, 0, tie, arrival, job};
    set_thousandths(rank, major + advance(drift, time));
    return rank;
  }

 private:
  [[nodiscard]] static WideInteger advance(std::int64_t drift, Instant time) {
    return WideInteger{drift} * time.time_since_epoch().count();
  }
};

/// The position of a job among the running jobs that may be asked to yield, now or later.
struct RunnerPlace {
  bool filed = false;
  bool stoppable = false;  ///< now; else from `stoppable_from` on
  std::int64_t drift = 0;
  SteadyRank rank;
  Instant changes_at = kNever;      ///< entry in the timers of changes
  Instant turns_at = kNever;        ///< the same for ranks with a drift
  Instant stoppable_from = kNever;  ///< entry in the timers while it is not stoppable
};

}  // namespace mimus::scheduler
