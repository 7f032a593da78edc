// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results/schema/rows.hpp"

namespace mimus::results {

/// Of so much time of a GPU [s], by its price.
[[nodiscard]] inline double cost_of(const GpuRow& row, double seconds) {
  constexpr double kSecondsPerHour = 3600;
  return row.price * seconds / kSecondsPerHour;
}

/// What the GPUs of a cell cost, by their prices; nothing is known of it unless each has one.
class CostTotals {
 public:
  void add(const GpuRow& row) {
    known_ = known_ && row.price >= 0;
    any_ = true;
    held_ += cost_of(row, row.held);
    powered_ += cost_of(row, row.powered);
  }
  /// Calls `act(metric, value)` for each sum; always the same. -1: not known.
  template <class Act>
  void each(Act&& act) const {
    act("cost_held", any_ && known_ ? held_ : -1.0);
    act("cost_powered", any_ && known_ ? powered_ : -1.0);
  }

 private:
  bool any_ = false, known_ = true;
  double held_ = 0, powered_ = 0;
};

}  // namespace mimus::results
