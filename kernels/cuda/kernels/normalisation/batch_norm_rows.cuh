// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace mimus::kernels::cuda {

inline constexpr int kRowsAhead = 4;  ///< rows that a thread reads at once

/// Index counts its elements, with 32 bits where they suffice. The loops below are limited by
/// address arithmetic and by registers, which decide how many blocks share a multiprocessor.
template <class Index>
struct Matrix {
  Index rows, columns;
};

/// The rows of a thread, all in one column.
template <class Index>
struct Place {
  Index column, row, step;

  __device__ Place()
      : column(static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x)),
        row(static_cast<Index>(blockIdx.y * blockDim.y + threadIdx.y)),
        step(static_cast<Index>(gridDim.y * blockDim.y)) {}
};

/// Calls load(k, element) for up to kRowsAhead rows, then use(k, element) for the same. Both skip
/// rows k that the matrix does not have.
template <class Index, class Load, class Use>
__device__ void for_rows(const Matrix<Index>& matrix, const Place<Index>& place, Load load,
                         Use use) {
  const Index stride = place.step * matrix.columns;
  Index element = place.row * matrix.columns + place.column;
  for (Index row = place.row; row < matrix.rows; row += kRowsAhead * place.step) {
#pragma unroll
    for (int k = 0; k < kRowsAhead; ++k) {
      if (row + k * place.step < matrix.rows) load(k, element + k * stride);
    }
#pragma unroll
    for (int k = 0; k < kRowsAhead; ++k) {
      if (row + k * place.step < matrix.rows) use(k, element + k * stride);
    }
    element += kRowsAhead * stride;
  }
}

}  // namespace mimus::kernels::cuda
