// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results/schema/rows.hpp"

namespace mimus::results {

/// How much of a cluster can be allocated as jobs request more and more of it. Rows come in order
/// of time.
class AllocationTotals {
 public:
  void add(const AllocationRow& row) {
    last_ = row;
    const bool full = row.requested >= static_cast<double>(row.gpus);
    if (full && at_full_ < 0) at_full_ = row.allocated;
  }
  /// Calls `act(metric, value)` for each; always the same.
  template <class Act>
  void each(Act&& act) const {
    act("allocation_gpus", static_cast<double>(last_.gpus));
    act("allocated_at_end", last_.allocated);
    act("fragmented_at_end", last_.fragmented);
    act("allocated_at_full", at_full_);
  }

 private:
  AllocationRow last_;
  double at_full_ = -1;
};

}  // namespace mimus::results
