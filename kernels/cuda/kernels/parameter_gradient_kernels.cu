// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cooperative_groups.h>

#include "base/error.hpp"
#include "kernels/cuda/kernels/column_kernels.cuh"
#include "kernels/cuda/kernels/column_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

namespace cg = cooperative_groups;

constexpr int kTileSide = 32;
constexpr int kThreadsInTurn = 128;

/// Gradients of layer norm's scale and shift: means of dy·x̂ and of dy over the rows. One block has
/// 32 columns and all their rows, as PyTorch's has.
template <class T>
__global__ void __launch_bounds__(kTileSide* kTileSide)
    normalisation_parameter_gradient(const T* x, const T* dy, const float* statistics, float* sums,
                                     std::int64_t rows, std::int64_t columns) {
  const std::int64_t column = blockIdx.x * std::int64_t{kTileSide} + threadIdx.x;
  float scale = 0.0F;
  float shift = 0.0F;
  if (column < columns) {
#pragma unroll 8
    for (std::int64_t row = threadIdx.y; row < rows; row += kTileSide) {
      const float gradient = to_float(dy[row * columns + column]);
      const float value = to_float(x[row * columns + column]);
      scale += gradient * bounded((value - statistics[row]) * statistics[rows + row]);
      shift += gradient;
    }
  }
  __shared__ float lines[2][kTileSide][kTileSide];
  lines[0][threadIdx.y][threadIdx.x] = scale;
  lines[1][threadIdx.y][threadIdx.x] = shift;
  __syncthreads();
  if (threadIdx.y > 1 || column >= columns) return;
  float sum = 0.0F;
  for (int line = 0; line < kTileSide; ++line) sum += lines[threadIdx.y][line][threadIdx.x];
  sums[threadIdx.y * columns + column] = sum / static_cast<float>(rows);
}

template <class T>
void run_parameter_gradient(const Reduction& shape, const RegionAddresses& regions,
                            cudaStream_t stream) {
  const auto tiles = static_cast<unsigned>((shape.columns + kTileSide - 1) / kTileSide);
  launch("normalisation_parameter_gradient", normalisation_parameter_gradient<T>,
         {.grid = tiles, .block = dim3(kTileSide, kTileSide)}, stream, regions.at<const T>(shape.x),
         regions.at<const T>(shape.dy), regions.at<const float>(shape.statistics),
         regions.at<float>(shape.out), shape.rows, shape.columns);
}

/// Gradient of a bias: the mean of dy over the rows, added up by all blocks that share a column.
template <class T, int Width>
__global__ void __launch_bounds__(kBlockThreads)
    reduction_column_sum(const T* dy, float* sums, ColumnTiling tiling) {
  const cg::grid_group grid = cg::this_grid();
  for (std::int64_t round = 0; round * tiling.tiles_at_once < tiling.tiles; ++round) {
    const ColumnBlock<Width> block(tiling, round);
    const bool adds = block.sum_column >= 0;
    if (block.first_segment && adds) sums[block.sum_column] = 0.0F;
    float sum[Width] = {};
    for_rows(block, {dy}, [&](std::int64_t, const Pack<T, Width>(&in)[1]) {
#pragma unroll
      for (int i = 0; i < Width; ++i) sum[i] += to_float(in[0].lane[i]);
    });
    const float block_sum = sum_lines(tiling, sum);
    grid.sync();
    if (adds) atomicAdd(sums + block.sum_column, block_sum / static_cast<float>(tiling.rows));
  }
}

/// As cuDNN 9.19 sums the gradients of a GRU's biases (GRU_elementWise_bp2: 34 ns per row on an
/// H100, however many columns): few threads, each with all rows of its column, and so many of them
/// on their way at once that a row should take about that long.
template <class T>
__global__ void __launch_bounds__(kThreadsInTurn)
    reduction_column_sum_in_turn(const T* dy, float* sums, std::int64_t rows,
                                 std::int64_t columns) {
  const std::int64_t column = blockIdx.x * std::int64_t{kThreadsInTurn} + threadIdx.x;
  if (column >= columns) return;
  float sum = 0.0F;
#pragma unroll 16
  for (std::int64_t row = 0; row < rows; ++row) sum += to_float(dy[row * columns + column]);
  sums[column] = sum / static_cast<float>(rows);
}

template <class T>
void run_column_sum_in_turn(const Reduction& shape, const RegionAddresses& regions,
                            cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((shape.columns + kThreadsInTurn - 1) / kThreadsInTurn);
  launch("reduction_column_sum_in_turn", reduction_column_sum_in_turn<T>,
         {.grid = blocks, .block = kThreadsInTurn}, stream, regions.at<const T>(shape.dy),
         regions.at<float>(shape.out), shape.rows, shape.columns);
}

/// As many segments as blocks are resident, but none shorter than four rows of each thread.
template <int Width>
ColumnTiling tiling_of(const Reduction& shape, std::int64_t resident) {
  const std::int64_t packs = (shape.columns + Width - 1) / Width;
  ColumnTiling tiling{.rows = shape.rows, .columns = shape.columns};
  tiling.lanes =
      static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::min<std::int64_t>(32, packs))));
  tiling.tiles = (packs + tiling.lanes - 1) / tiling.lanes;
  const std::int64_t shortest = 4 * (kBlockThreads / tiling.lanes);
  const std::int64_t most = (shape.rows + shortest - 1) / shortest;
  tiling.segments = std::clamp<std::int64_t>(resident / tiling.tiles, 1, most);
  tiling.tiles_at_once =
      std::min(tiling.tiles, std::max<std::int64_t>(1, resident / tiling.segments));
  return tiling;
}

/// Where other tenants hold a part of the device, fewer blocks may be allowed to wait for one
/// another than its driver says: then half as many are tried.
template <int Width, class... Parameters, class... Arguments>
void launch_tiled(std::string_view call, void (*kernel)(Parameters...), const Reduction& shape,
                  cudaStream_t stream, Arguments... arguments) {
  std::int64_t resident = resident_blocks(reinterpret_cast<const void*>(kernel), kBlockThreads, 0);
  while (true) {
    const ColumnTiling tiling = tiling_of<Width>(shape, resident);
    const LaunchShape grid{.grid = tiling.blocks()};
    if (launch_cooperative(call, kernel, grid, stream, arguments..., tiling)) return;
    ensure(resident > 1, "one block of a cooperative kernel is always resident");
    resident = std::min<std::int64_t>(resident, tiling.blocks()) / 2;
  }
}

template <class T, int Width>
void run_column_sum(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  launch_tiled<Width>("reduction_column_sum", reduction_column_sum<T, Width>, shape, stream,
                      regions.at<const T>(shape.dy), regions.at<float>(shape.out));
}

}  // namespace

void enqueue_column_reduction(const Reduction& shape, const RegionAddresses& regions,
                              cudaStream_t stream, Arithmetic halves) {
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    if (shape.function == Reduction::Function::parameter_gradient) {
      return run_parameter_gradient<T>(shape, regions, stream);
    }
    if (shape.function == Reduction::Function::column_sum_in_turn) {
      return run_column_sum_in_turn<T>(shape, regions, stream);
    }
    with_width<T>(shape.columns, [&](auto width) {
      run_column_sum<T, decltype(width)::value>(shape, regions, stream);
    });
  });
}

}  // namespace mimus::kernels::cuda
