// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mimus::workloads {

/// Shares of `count` entries by Zipf's law: the k-th has weight k^-exponent. Sums to 1.
[[nodiscard]] std::vector<double> zipf_shares(std::int64_t count, double exponent);

/// Zipf shares whose `top` most active entries together have `share`, which is at least top/count
/// (less gives equal shares).
[[nodiscard]] std::vector<double> skewed_shares(std::int64_t count, std::int64_t top, double share);

/// Divides `count` among entries of these shares, which do not rise: one for each that has claim to
/// less, the rest to the others in proportion, by largest remainders. `count` is at least their
/// number, else InternalError.
[[nodiscard]] std::vector<std::int64_t> apportioned(std::int64_t count,
                                                    std::span<const double> shares);

}  // namespace mimus::workloads
