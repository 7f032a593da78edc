// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// Sums over the tenants of a cell and what they read.
class ReadingTotals {
 public:
  void add(const TenantRow& row) {
    read_ += row.read;
    hit_ += row.hit;
    if (row.speed_uncached > 0) {
      const double faster = row.speed / row.speed_uncached;
      tenants_ += 1;
      speedup_ += faster;
      least_speedup_ = tenants_ == 1 ? faster : std::min(least_speedup_, faster);
    }
    if (row.worth_alone > 0) {
      const double share = row.worth / row.worth_alone / row.weight;
      sharing_ += 1;
      shares_ += share;
      squares_ += share * share;
    }
  }
  /// Calls `act(metric, value)` for each sum; always the same.
  void each(const std::function<void(const char*, double)>& act) const {
    act("data_read", read_);
    act("data_hit", hit_);
    act("data_tenants", tenants_);
    act("data_speedup", speedup_);
    act("data_least_speedup", least_speedup_);
    act("cache_tenants", sharing_);
    act("cache_shares", shares_);
    act("cache_share_squares", squares_);
  }

 private:
  double read_ = 0, hit_ = 0;
  double tenants_ = 0, speedup_ = 0, least_speedup_ = 0;  ///< of those that have read
  double sharing_ = 0, shares_ = 0, squares_ = 0;         ///< of those that could use the cache
};

}  // namespace mimus::results
