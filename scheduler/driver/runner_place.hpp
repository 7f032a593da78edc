// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// Service is GPUs × nanoseconds; extrapolated to time zero it can leave 64 bits.
__extension__ using WideRank = __int128;

/// A running job's rank with `major` extrapolated to time zero at its drift, so that it holds until
/// the next change of the rank: jobs of equal drift are ordered alike at every instant.
struct SteadyRank {
  WideRank major = 0;
  std::int64_t minor = 0;
  Instant arrival{};
  JobId job;
  auto operator<=>(const SteadyRank&) const = default;

  /// `time` as Order::rank_time says.
  [[nodiscard]] static SteadyRank of(const Rank& rank, std::int64_t drift, Instant time) {
    return {rank.major - advance(drift, time), rank.minor, rank.arrival, rank.job};
  }
  [[nodiscard]] Rank at(std::int64_t drift, Instant time) const {
    return {static_cast<std::int64_t>(major + advance(drift, time)), minor, arrival, job};
  }

 private:
  [[nodiscard]] static WideRank advance(std::int64_t drift, Instant time) {
    return static_cast<WideRank>(drift) * time.time_since_epoch().count();
  }
};

/// Where a job stands among the running jobs that may be asked to yield, now or later.
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
