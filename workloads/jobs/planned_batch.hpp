// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace mimus::workloads {

/// From a number of epochs on, a training is to have this total batch.
struct PlannedBatch {
  double epoch = 0.0;
  std::int64_t batch = 1;  ///< [samples]
  bool operator==(const PlannedBatch&) const = default;
};

/// Whether each epoch is greater than the one before it.
[[nodiscard]] inline bool is_ascending(const std::vector<PlannedBatch>& plan) {
  return std::ranges::adjacent_find(plan, std::greater_equal<>{}, &PlannedBatch::epoch) ==
         plan.end();
}

}  // namespace mimus::workloads
