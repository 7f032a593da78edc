// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace mimus::scheduler {

/// Divides `total` in proportion to `weights`, in whole numbers by largest remainder, the lower
/// index first among equal ones. No share exceeds its entry of `limits`: what is over goes by
/// the same rule to those below theirs. Together less than `total` only where the limits are less.
/// Weights are positive.
[[nodiscard]] std::vector<int> weighted_shares(std::span<const double> weights,
                                               std::span<const int> limits, int total);

}  // namespace mimus::scheduler
