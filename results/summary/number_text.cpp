// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary/number_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mimus::results {

std::string significant(double value) {
  if (value == 0.0 || !std::isfinite(value)) return fmt::format("{:.0f}", value);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fmt::format("{:.{}f}", value, std::clamp(2 - magnitude, 0, 6));
}

std::string plus_minus(double mean, double half_width) {
  const int magnitude = static_cast<int>(std::floor(std::log10(half_width)));
  const int decimals = std::clamp(1 - magnitude, 0, 6);
  return fmt::format("{0:.{2}f} ±{1:.{2}f}", mean, half_width, decimals);
}

std::string percent(double fraction) {
  return fmt::format("{:.1f}", fraction * 100.0);
}

}  // namespace mimus::results
