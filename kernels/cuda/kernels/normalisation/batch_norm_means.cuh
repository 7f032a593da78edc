// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kernels/common/last_block.cuh"
#include "kernels/cuda/kernels/normalisation/batch_norm_rows.cuh"

namespace mimus::kernels::cuda {

inline constexpr int kBatchNormThreads = 512;

/// Where the blocks that share a tile's rows synchronise, if there are several.
struct Meeting {
  float* partial;  ///< segments × 2 × columns
  unsigned* done;  ///< blocks of each tile
};

/// Adds two numbers of each thread over the lines of a block; the first line has the sums.
__device__ inline void add_lines(float& a, float& b) {
  __shared__ float first[kBatchNormThreads];
  __shared__ float second[kBatchNormThreads];
  const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;
  first[own] = a;
  second[own] = b;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y >= half) continue;
    first[own] = a += first[own + half * blockDim.x];
    second[own] = b += second[own + half * blockDim.x];
  }
  __syncthreads();
}

/// Writes the means over all rows of two sums of each thread.
template <class Index>
__device__ void write_means(const Place<Index>& place, const Matrix<Index>& matrix,
                            const Meeting& meeting, float a, float b, float* mean_a,
                            float* mean_b) {
  const bool inside = place.column < matrix.columns;
  const Index two = 2;
  add_lines(a, b);
  if (gridDim.y > 1) {
    float* const own = meeting.partial + two * matrix.columns * blockIdx.y + place.column;
    if (inside && threadIdx.y == 0) {
      own[0] = a;
      own[matrix.columns] = b;
    }
    if (!is_last_block(meeting.done)) return;
    a = b = 0.0F;
    for (unsigned segment = threadIdx.y; inside && segment < gridDim.y; segment += blockDim.y) {
      const float* const other = meeting.partial + two * matrix.columns * segment + place.column;
      a += other[0];
      b += other[matrix.columns];
    }
    add_lines(a, b);
  }
  if (!inside || threadIdx.y != 0) return;
  const float share = 1.0F / static_cast<float>(matrix.rows);
  mean_a[place.column] = share * a;
  mean_b[place.column] = share * b;
}

}  // namespace mimus::kernels::cuda
