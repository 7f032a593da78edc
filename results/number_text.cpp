// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/number_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mimus::results {

std::string significant(double value) {
  if (value == 0.0 || !std::isfinite(value)) return fmt::format("{:.0f}", value);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fmt::format("{:.{}f}", value, std::clamp(2 - magnitude, 0, 6));
}

std::string percent(double fraction) {
  return fmt::format("{:.1f}", fraction * 100.0);
}

}  // namespace mimus::results
