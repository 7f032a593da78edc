// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace mimus::results {

/// The quantile q in [0, 1], interpolated linearly between order statistics: type 7 of Hyndman &
/// Fan (1996), the default of NumPy, pandas and R. 0 without values.
[[nodiscard]] inline double percentile(std::vector<double> values, double q) {
  if (values.empty()) return 0.0;
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(std::floor(position));
  const auto at = values.begin() + below;
  std::nth_element(values.begin(), at, values.end());
  if (at + 1 == values.end()) return *at;
  const double above = *std::min_element(at + 1, values.end());
  return *at + (position - static_cast<double>(below)) * (above - *at);
}

/// The same for values in ascending order, equal to the last bit.
[[nodiscard]] inline double percentile_of_sorted(std::span<const double> values, double q) {
  if (values.empty()) return 0.0;
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const double at = values[below];
  if (below + 1 == values.size()) return at;
  return at + (position - static_cast<double>(below)) * (values[below + 1] - at);
}

}  // namespace mimus::results
