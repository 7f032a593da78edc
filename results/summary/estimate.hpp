// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace mimus::results {

/// A mean over repetitions with its 95 % interval, mean ± half_width (Student's t). There is no
/// interval of one value, or of values that are all equal because the seed changes nothing.
struct Estimate {
  double mean = 0;
  std::optional<double> half_width;
};

/// The estimate from at least one value.
[[nodiscard]] Estimate estimate(const std::vector<double>& values);

}  // namespace mimus::results
