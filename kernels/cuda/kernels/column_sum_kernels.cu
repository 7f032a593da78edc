// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <type_traits>

#include "kernels/cuda/kernels/column_sum_kernels.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/last_block.cuh"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/launch/column_sum.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr int kThreads = 512;  ///< of a block, including columns that a thread takes together
constexpr int kAhead = 4;      ///< rows that a thread reads at once
constexpr int kVectorThreads = 512;
constexpr int kThreadsInTurn = 128;

struct Sums {
  float* sums;     ///< columns
  float* partial;  ///< segments × columns
  unsigned* done;  ///< blocks of each tile
  std::int64_t rows, columns;
  bool lines_share;
};

/// Adds the rows of a block to its first row. The threads of that row then hold the result.
template <int Width>
__device__ void add_lines(float (&sum)[Width]) {
  __shared__ float lines[kThreads];
  const unsigned own = (threadIdx.y * blockDim.x + threadIdx.x) * Width;
#pragma unroll
  for (int i = 0; i < Width; ++i) lines[own + i] = sum[i];
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y >= half) continue;
#pragma unroll
    for (int i = 0; i < Width; ++i) {
      sum[i] += lines[own + half * blockDim.x * Width + i];
      lines[own + i] = sum[i];
    }
  }
  __syncthreads();
}

/// Sums Width columns over the rows `first`, `first + step`, ...
template <class T, int Width>
__device__ void add_rows(const T* dy, const Sums& to, std::int64_t column, std::int64_t first,
                         std::int64_t step, float (&sum)[Width]) {
  float ahead[kAhead][Width] = {};
  const auto add = [&](int k, const Pack<T, Width>& pack) {
#pragma unroll
    for (int i = 0; i < Width; ++i) ahead[k][i] += to_float(pack.lane[i]);
  };
  std::int64_t row = first;
  for (; row + (kAhead - 1) * step < to.rows; row += kAhead * step) {
    Pack<T, Width> packs[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      packs[k] = load<Width>(dy + (row + k * step) * to.columns + column);
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) add(k, packs[k]);
  }
  for (; row < to.rows; row += step) add(0, load<Width>(dy + row * to.columns + column));
#pragma unroll
  for (int i = 0; i < Width; ++i) sum[i] = ahead[0][i] + ahead[1][i] + ahead[2][i] + ahead[3][i];
}

/// Gradient of a bias: the mean of dy over the rows.
template <class T, int Width>
__global__ void __launch_bounds__(kThreads / Width) reduction_column_sum(const T* dy, Sums to) {
  const std::int64_t line = to.lines_share ? blockIdx.x : blockIdx.x * blockDim.y + threadIdx.y;
  const std::int64_t column = (line * blockDim.x + threadIdx.x) * Width;
  const bool inside = column < to.columns;
  float sum[Width] = {};
  if (inside && to.lines_share) {
    add_rows(dy, to, column, blockIdx.y * blockDim.y + threadIdx.y, gridDim.y * blockDim.y, sum);
  } else if (inside) {
    add_rows(dy, to, column, 0, 1, sum);
  }
  if (to.lines_share) add_lines(sum);
  const bool writes = inside && (threadIdx.y == 0 || !to.lines_share);
  if (gridDim.y > 1) {
    for (int i = 0; writes && i < Width; ++i) {
      to.partial[blockIdx.y * to.columns + column + i] = sum[i];
    }
    if (!is_last_block(to.done)) return;
#pragma unroll
    for (int i = 0; i < Width; ++i) sum[i] = 0.0F;
    for (unsigned segment = threadIdx.y; inside && segment < gridDim.y; segment += blockDim.y) {
#pragma unroll
      for (int i = 0; i < Width; ++i) sum[i] += to.partial[segment * to.columns + column + i];
    }
    add_lines(sum);
  }
  for (int i = 0; writes && i < Width; ++i) {
    to.sums[column + i] = sum[i] / static_cast<float>(to.rows);
  }
}

/// The same for a single column: one block, whose threads read several rows at once.
template <class T>
__global__ void __launch_bounds__(kVectorThreads)
    reduction_vector_sum(const T* dy, float* sum, std::int64_t rows) {
  float own = 0.0F;
  const std::int64_t packs = rows / kVector<T>;
#pragma unroll 4
  for (std::int64_t at = threadIdx.x; at < packs; at += kVectorThreads) {
    const Pack<T> pack = load<kVector<T>>(dy + at * kVector<T>);
#pragma unroll
    for (int i = 0; i < kVector<T>; ++i) own += to_float(pack.lane[i]);
  }
  const std::int64_t rest = packs * kVector<T> + threadIdx.x;
  if (rest < rows) own += to_float(dy[rest]);
  __shared__ float lines[kVectorThreads];
  lines[threadIdx.x] = own;
  for (unsigned half = kVectorThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) lines[threadIdx.x] += lines[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *sum = lines[0] / static_cast<float>(rows);
}

/// Sums the gradients of a GRU's biases like cuDNN 9.19 (GRU_elementWise_bp2), which takes 34 ns
/// per row on an H100 for any number of columns. There are few threads, each with all rows of its
/// column. The number of rows in flight is chosen so that a row takes about that long.
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
void run_in_turn(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((shape.columns + kThreadsInTurn - 1) / kThreadsInTurn);
  launch("reduction_column_sum_in_turn", reduction_column_sum_in_turn<T>,
         {.grid = blocks, .block = kThreadsInTurn}, stream, regions.at<const T>(shape.dy),
         regions.at<float>(shape.out), shape.rows, shape.columns);
}

template <class T>
void run(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const auto* dy = regions.at<const T>(shape.dy);
  auto* sums = regions.at<float>(shape.out);
  if (shape.columns == 1) {
    return launch("reduction_vector_sum", reduction_vector_sum<T>,
                  {.grid = 1, .block = kVectorThreads}, stream, dy, sums, shape.rows);
  }
  const ColumnSumTiling tiling(shape.rows, shape.columns, multiprocessors());
  Sums to{sums, nullptr, nullptr, shape.rows, shape.columns, tiling.lines_share};
  if (tiling.segments > 1) {
    auto* scratch = regions.at<std::byte>(shape.scratch);
    to.partial = reinterpret_cast<float*>(scratch);
    to.done =
        reinterpret_cast<unsigned*>(scratch + ColumnSumScratch(shape.rows, shape.columns).done);
    const std::size_t bytes = sizeof(unsigned) * static_cast<std::size_t>(tiling.tiles);
    check_cuda(cudaMemsetAsync(to.done, 0, bytes, stream), "cudaMemsetAsync");
  }
  const LaunchShape grid{
      .grid = dim3(static_cast<unsigned>(tiling.tiles), static_cast<unsigned>(tiling.segments)),
      .block = dim3(static_cast<unsigned>(tiling.wide), static_cast<unsigned>(tiling.high))};
  const auto run_width = [&](auto width) {
    launch("reduction_column_sum", reduction_column_sum<T, decltype(width)::value>, grid, stream,
           dy, to);
  };
  if (tiling.width == 4) return run_width(std::integral_constant<int, 4>{});
  if (tiling.width == 2) return run_width(std::integral_constant<int, 2>{});
  run_width(std::integral_constant<int, 1>{});
}

}  // namespace

void enqueue_column_sum(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream,
                        Arithmetic halves) {
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    if (shape.function == Reduction::Function::column_sum_in_turn) {
      run_in_turn<T>(shape, regions, stream);
    } else {
      run<T>(shape, regions, stream);
    }
  });
}

}  // namespace mimus::kernels::cuda
