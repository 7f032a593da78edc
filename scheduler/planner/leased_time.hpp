// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/time.hpp"

namespace mimus::scheduler {

/// Time that a lease uses of a round: as many whole iterations as fit, at most those that are left
/// (infinite: not known). A whole round if not even one fits.
[[nodiscard]] inline Duration leased_time(double rate, double iterations_left, Duration round) {
  const double fitting = std::floor(rate * to_seconds(round));
  if (!(fitting >= 1.0)) return round;
  return from_seconds(std::max(0.0, std::min(fitting, iterations_left)) / rate);
}

}  // namespace mimus::scheduler
