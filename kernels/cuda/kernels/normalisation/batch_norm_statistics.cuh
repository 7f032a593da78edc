// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/cuda/kernels/normalisation/normalisation_constants.hpp"

namespace mimus::kernels::cuda {

/// fp32, one value per column each, one after the other.
struct Statistics {
  float *mean, *square, *dy, *dy_x;

  Statistics(float* kept, std::int64_t columns)
      : mean(kept), square(kept + columns), dy(kept + 2 * columns), dy_x(kept + 3 * columns) {}
};

/// x̂ in the column of a thread.
struct NormalisedColumn {
  float mean, inverse;

  __device__ NormalisedColumn(const Statistics& statistics, std::int64_t column)
      : mean(statistics.mean[column]) {
    const float variance = statistics.square[column] - mean * mean;
    inverse = rsqrtf(fmaxf(variance, 0.0F) + kVarianceFloor);
  }
  [[nodiscard]] __device__ float of(float x) const { return (x - mean) * inverse; }
};

}  // namespace mimus::kernels::cuda
