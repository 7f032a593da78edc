// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// Sums over the nodes of a cell.
class NodeTotals {
 public:
  void add(const NodeStateRow& row) {
    if (row.state == "booting") wake_ups_.insert(row.begin);
  }
  void add(const NodeRow& row) {
    nodes_ += 1;
    seconds_ += row.on + row.booting + row.asleep;
    asleep_ += row.asleep;
    used_ += row.used;
  }
  /// Calls `act(metric, value)` for each sum; always the same.
  void each(const std::function<void(const char*, double)>& act) const {
    act("nodes", nodes_);
    act("node_seconds", seconds_);
    act("node_asleep_seconds", asleep_);
    act("node_used_seconds", used_);
    act("wake_ups", static_cast<double>(wake_ups_.size()));
  }

 private:
  double nodes_ = 0;
  double seconds_ = 0, asleep_ = 0, used_ = 0;
  std::set<double> wake_ups_;  ///< when nodes were woken
};

}  // namespace mimus::results
