// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace mimus::workloads {

/// Draws indices in proportion to weights in constant time: Walker's alias method with the set-up
/// of Vose (IEEE Trans. Softw. Eng. 17(9), 1991).
class AliasTable {
 public:
  /// Weights >= 0, not all zero, else InternalError.
  explicit AliasTable(std::span<const double> weights);

  /// One number from `random`, whatever the weights.
  [[nodiscard]] std::size_t draw(RandomStream& random) const {
    const double at = random.uniform() * static_cast<double>(keep_.size());
    const auto column = static_cast<std::size_t>(at);
    return at - static_cast<double>(column) < keep_[column] ? column : other_[column];
  }

 private:
  std::vector<double> keep_;  ///< probability that a column yields its own index
  std::vector<std::uint32_t> other_;
};

}  // namespace mimus::workloads
