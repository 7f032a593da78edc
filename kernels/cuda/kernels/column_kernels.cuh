// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kernels/grid.hpp"
#include "kernels/cuda/kernels/vector_access.cuh"

namespace mimus::kernels::cuda {

/// How a grid divides a matrix: tiles of lanes × Width columns, and each tile's rows into segments,
/// one per block. Blocks that share a tile meet in its columns' sums.
struct ColumnTiling {
  std::int64_t rows = 0, columns = 0;
  std::int64_t tiles = 1, tiles_at_once = 1, segments = 1;
  int lanes = 1;  ///< threads side by side, a power of two up to 32

  [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(tiles_at_once * segments); }
};

/// The part of a matrix that a thread crosses in one round.
template <int Width>
struct ColumnBlock {
  std::int64_t columns;  ///< of the matrix
  std::int64_t column;   ///< first of Width columns of this thread
  std::int64_t first_row, end_row;
  std::int64_t step;        ///< between the rows of this thread
  std::int64_t sum_column;  ///< whose sum this thread adds to the other blocks'; else −1
  bool first_segment;

  __device__ ColumnBlock(const ColumnTiling& tiling, std::int64_t round) : columns(tiling.columns) {
    const int thread = static_cast<int>(threadIdx.x);
    const std::int64_t segment = blockIdx.x % tiling.segments;
    const std::int64_t tile = round * tiling.tiles_at_once + blockIdx.x / tiling.segments;
    const std::int64_t tile_column = tile * tiling.lanes * Width;
    const std::int64_t segment_rows = (tiling.rows + tiling.segments - 1) / tiling.segments;
    column = tile_column + thread % tiling.lanes * Width;
    step = kBlockThreads / tiling.lanes;
    end_row = min(tiling.rows, (segment + 1) * segment_rows);
    first_row = column < columns ? segment * segment_rows + thread / tiling.lanes : end_row;
    const bool sums = thread < tiling.lanes * Width && tile_column + thread < columns;
    sum_column = sums ? tile_column + thread : -1;
    first_segment = segment == 0;
  }

  [[nodiscard]] __device__ bool inside() const { return column < columns; }
};

/// Calls body(row, packs) for the rows of a thread, with four loads on their way at once.
template <int Width, class T, int Inputs, class Body>
__device__ void for_rows(const ColumnBlock<Width>& block, const T* const (&in)[Inputs], Body body) {
  constexpr int kAtOnce = 4 / Inputs;
  for (std::int64_t row = block.first_row; row < block.end_row; row += kAtOnce * block.step) {
    Pack<T, Width> packs[kAtOnce][Inputs];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const std::int64_t at = row + k * block.step;
      if (at >= block.end_row) continue;
#pragma unroll
      for (int i = 0; i < Inputs; ++i) {
        packs[k][i] = load<Width>(in[i] + at * block.columns + block.column);
      }
    }
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (row + k * block.step < block.end_row) body(row + k * block.step, packs[k]);
    }
  }
}

/// The sum over the block's rows of each column, for the thread that has a sum_column.
template <int Width>
__device__ float sum_lines(const ColumnTiling& tiling, const float (&sums)[Width]) {
  __shared__ float lines[kBlockThreads * Width];
  __syncthreads();  // the previous call's sums have been read
#pragma unroll
  for (int i = 0; i < Width; ++i) lines[threadIdx.x * Width + i] = sums[i];
  __syncthreads();
  const int wide = tiling.lanes * Width;
  float sum = 0.0F;
  if (static_cast<int>(threadIdx.x) < wide) {
    for (int i = static_cast<int>(threadIdx.x); i < kBlockThreads * Width; i += wide) {
      sum += lines[i];
    }
  }
  return sum;
}

}  // namespace mimus::kernels::cuda
