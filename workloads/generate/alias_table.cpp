// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/alias_table.hpp"

#include <numeric>

#include "base/error.hpp"

namespace mimus::workloads {

AliasTable::AliasTable(std::span<const double> weights)
    : keep_(weights.begin(), weights.end()), other_(weights.size()) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  ensure(total > 0.0, "an alias table needs a positive total weight");
  std::iota(other_.begin(), other_.end(), 0U);
  std::vector<std::uint32_t> small, large;
  for (std::uint32_t i = 0; i < keep_.size(); ++i) {
    keep_[i] *= static_cast<double>(keep_.size()) / total;
    (keep_[i] < 1.0 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t poor = small.back();
    const std::uint32_t rich = large.back();
    small.pop_back();
    other_[poor] = rich;
    keep_[rich] -= 1.0 - keep_[poor];
    if (keep_[rich] >= 1.0) continue;
    large.pop_back();
    small.push_back(rich);
  }
  // What remains after rounding is full except for the last bits.
  for (const std::uint32_t i : large) keep_[i] = 1.0;
  for (const std::uint32_t i : small) keep_[i] = weights[i] > 0.0 ? 1.0 : keep_[i];
}

}  // namespace mimus::workloads
