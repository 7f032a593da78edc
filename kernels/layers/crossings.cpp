// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/crossings.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::kernels {

CrossingShare share_crossings(std::int64_t elements, double crossings, int kernels) {
  if (kernels <= 0) return {};
  const double each = crossings / kernels;
  const int reads = std::clamp(static_cast<int>(std::ceil(each)) - 1, 1, 3);
  const double covered = static_cast<double>(elements) * each / (reads + 1);
  return {reads, std::max<std::int64_t>(1, std::llround(covered))};
}

}  // namespace mimus::kernels
