// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace mimus::scheduler {

/// Divides `total` in proportion to `weights` (positive), in whole numbers by largest remainder,
/// with the lower index first among equal ones. No share exceeds its entry of `limits`; the excess
/// is divided by the same rule among the shares below their limits. The sum is less than `total`
/// only if the sum of the limits is.
[[nodiscard]] std::vector<int> weighted_shares(std::span<const double> weights,
                                               std::span<const int> limits, int total);

}  // namespace mimus::scheduler
