// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// The best validation of each hyper-parameter search of a cell. Rows come in order of time.
class TrialTotals {
 public:
  void add(const TrialRow& row) {
    const auto [entry, is_new] =
        best_.try_emplace(row.application, Best{row.loss, row.since_arrival});
    if (!is_new && row.loss < entry->second.loss) entry->second = {row.loss, row.since_arrival};
  }
  /// Calls `act(metric, value)` for each sum; always the same.
  template <class Act>
  void each(Act&& act) const {
    double losses = 0, times = 0;
    for (const auto& [search, best] : best_) {
      losses += best.loss;
      times += best.since_arrival;
    }
    act("searches", static_cast<double>(best_.size()));
    act("best_losses", losses);
    act("best_loss_times", times);
  }

 private:
  struct Best {
    double loss = 0;
    double since_arrival = 0;
  };
  std::map<std::string, Best> best_;  ///< by search
};

}  // namespace mimus::results
