// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "kernels/cuda/kernels/batch_norm_kernels.hpp"
#include "kernels/cuda/kernels/grid.hpp"
#include "kernels/cuda/kernels/normalisation_constants.hpp"
#include "kernels/cuda/kernels/vector_access.cuh"

namespace mimus::kernels::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kAhead = 4;          ///< rows that a thread reads at once
constexpr int kRowsOfThread = 16;  ///< before more blocks share a column
constexpr int kTileColumns = 32;
constexpr int kMostBlocksOfTile = 128;

/// fp32, per column each.
struct Statistics {
  float *mean, *square, *dy, *dy_x;
};

struct Matrix {
  std::int64_t rows, columns;
};

/// The rows of a thread, all in one column.
struct Place {
  std::int64_t column, row, step;

  __device__ Place()
      : column(blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x),
        row(blockIdx.y * std::int64_t{blockDim.y} + threadIdx.y),
        step(gridDim.y * std::int64_t{blockDim.y}) {}
};

/// Calls load(k, element) for up to kAhead rows, then use(k, element) for the same. k of rows that
/// the matrix does not have is left out of both.
template <class Load, class Use>
__device__ void for_rows(const Matrix& matrix, const Place& place, Load load, Use use) {
  for (std::int64_t row = place.row; row < matrix.rows; row += kAhead * place.step) {
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const std::int64_t at = row + k * place.step;
      if (at < matrix.rows) load(k, at * matrix.columns + place.column);
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const std::int64_t at = row + k * place.step;
      if (at < matrix.rows) use(k, at * matrix.columns + place.column);
    }
  }
}

/// Adds two sums of each thread over the block's rows to those of all blocks.
__device__ void add_to_column(const Place& place, const Matrix& matrix, float a, float b,
                              float* sum_a, float* sum_b) {
  __shared__ float first[kThreads];
  __shared__ float second[kThreads];
  const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;
  first[own] = a;
  second[own] = b;
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) {
      first[own] += first[own + half * blockDim.x];
      second[own] += second[own + half * blockDim.x];
    }
  }
  if (threadIdx.y != 0 || place.column >= matrix.columns) return;
  const float share = 1.0F / static_cast<float>(matrix.rows);
  atomicAdd(sum_a + place.column, share * first[own]);
  atomicAdd(sum_b + place.column, share * second[own]);
}

/// Means of x and x² by Welford's updates, each of the rows read ahead for itself.
template <class T>
__global__ void __launch_bounds__(kThreads)
    normalisation_batch_statistics(const T* x, Statistics statistics, Matrix matrix) {
  const Place place;
  float mean[kAhead] = {};
  float squares[kAhead] = {};  // sum of squared deviations
  int count[kAhead] = {};
  float value[kAhead];
  float inverse[kAhead];
  if (place.column < matrix.columns) {
    for_rows(
        matrix, place,
        [&](int k, std::int64_t at) {
          value[k] = to_float(x[at]);
          inverse[k] = 1.0F / static_cast<float>(++count[k]);
        },
        [&](int k, std::int64_t) {
          const float before = value[k] - mean[k];
          mean[k] += before * inverse[k];
          squares[k] += before * (value[k] - mean[k]);
        });
  }
  float sum = 0.0F;
  float square = 0.0F;
#pragma unroll
  for (int k = 0; k < kAhead; ++k) {
    sum += static_cast<float>(count[k]) * mean[k];
    square += squares[k] + static_cast<float>(count[k]) * mean[k] * mean[k];
  }
  add_to_column(place, matrix, sum, square, statistics.mean, statistics.square);
}

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

template <class T>
__global__ void __launch_bounds__(kThreads)
    normalisation_batch_norm(const T* x, T* y, Statistics statistics, Matrix matrix) {
  const Place place;
  if (place.column >= matrix.columns) return;
  const NormalisedColumn normalised(statistics, place.column);
  float value[kAhead];
  for_rows(
      matrix, place, [&](int k, std::int64_t at) { value[k] = to_float(x[at]); },
      [&](int k, std::int64_t at) {
        y[at] = from_float<T>(bounded(kCentre + kSpread * normalised.of(value[k])));
      });
}

/// Calls use(k, element, x, dy) for the rows of a thread, read ahead.
template <class T, class Use>
__device__ void for_gradients(const Matrix& matrix, const Place& place, const T* x, const T* dy,
                              Use use) {
  float value[kAhead];
  float gradient[kAhead];
  for_rows(
      matrix, place,
      [&](int k, std::int64_t at) {
        value[k] = to_float(x[at]);
        gradient[k] = to_float(dy[at]);
      },
      [&](int k, std::int64_t at) { use(k, at, value[k], gradient[k]); });
}

/// Means of dy and of dy·x̂.
template <class T>
__global__ void __launch_bounds__(kThreads)
    normalisation_batch_gradient_sums(const T* x, const T* dy, Statistics statistics,
                                      Matrix matrix) {
  const Place place;
  float sum[kAhead] = {};
  float sum_x[kAhead] = {};
  if (place.column < matrix.columns) {
    const NormalisedColumn normalised(statistics, place.column);
    for_gradients(matrix, place, x, dy, [&](int k, std::int64_t, float value, float gradient) {
      sum[k] += gradient;
      sum_x[k] += gradient * normalised.of(value);
    });
  }
#pragma unroll
  for (int k = 1; k < kAhead; ++k) {
    sum[0] += sum[k];
    sum_x[0] += sum_x[k];
  }
  add_to_column(place, matrix, sum[0], sum_x[0], statistics.dy, statistics.dy_x);
}

/// dx = s·(dy − mean(dy) − x̂·mean(dy·x̂)), s = kSpread ÷ deviation.
template <class T>
__global__ void __launch_bounds__(kThreads)
    normalisation_batch_norm_gradient(const T* x, const T* dy, T* dx, Statistics statistics,
                                      Matrix matrix) {
  const Place place;
  if (place.column >= matrix.columns) return;
  const NormalisedColumn normalised(statistics, place.column);
  const float mean_dy = statistics.dy[place.column];
  const float mean_dy_x = statistics.dy_x[place.column];
  for_gradients(matrix, place, x, dy, [&](int, std::int64_t at, float value, float gradient) {
    const float correction = mean_dy + normalised.of(value) * mean_dy_x;
    dx[at] = from_float<T>(bounded(kSpread * normalised.inverse * (gradient - correction)));
  });
}

/// Tiles of 32 columns; as many rows to a block as give a thread 16, and up to 128 blocks to a
/// tile.
LaunchShape grid_of(const Reduction& shape) {
  const auto power_below = [](std::int64_t n) {
    return static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(
        std::min<std::int64_t>(std::max<std::int64_t>(n, 1), kThreads))));
  };
  int wide = std::min(power_below(shape.columns), kTileColumns);
  const int high =
      std::min(power_below((shape.rows + kRowsOfThread - 1) / kRowsOfThread), kThreads / wide);
  wide = std::min(power_below(shape.columns), kThreads / high);
  const std::int64_t rows = std::int64_t{high} * kRowsOfThread;
  const std::int64_t tiles = (shape.columns + wide - 1) / wide;
  const std::int64_t blocks =
      std::min<std::int64_t>((shape.rows + rows - 1) / rows, kMostBlocksOfTile);
  return {.grid = dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(blocks)),
          .block = dim3(static_cast<unsigned>(wide), static_cast<unsigned>(high))};
}

__global__ void __launch_bounds__(kThreads) elementwise_clear(float* values, std::int64_t count) {
  const std::int64_t at = blockIdx.x * std::int64_t{kThreads} + threadIdx.x;
  if (at < count) values[at] = 0.0F;
}

/// Two sums per column, by a kernel as PyTorch clears what its blocks meet in.
void clear(float* sums, std::int64_t columns, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((2 * columns + kThreads - 1) / kThreads);
  launch("elementwise_clear", elementwise_clear, {.grid = blocks, .block = kThreads}, stream, sums,
         2 * columns);
}

template <class T>
void run(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  using enum Reduction::Function;
  const auto* x = regions.at<const T>(shape.x);
  const auto* dy = regions.at<const T>(shape.dy);
  auto* out = regions.at<T>(shape.out);
  auto* kept = regions.at<float>(shape.statistics);
  const std::int64_t columns = shape.columns;
  const Statistics statistics{kept, kept + columns, kept + 2 * columns, kept + 3 * columns};
  const Matrix matrix{shape.rows, columns};
  const LaunchShape grid = grid_of(shape);
  switch (shape.function) {
    case batch_statistics:
      clear(statistics.mean, columns, stream);
      return launch("normalisation_batch_statistics", normalisation_batch_statistics<T>, grid,
                    stream, x, statistics, matrix);
    case batch_norm:
      return launch("normalisation_batch_norm", normalisation_batch_norm<T>, grid, stream, x, out,
                    statistics, matrix);
    case batch_gradient_sums:
      clear(statistics.dy, columns, stream);
      return launch("normalisation_batch_gradient_sums", normalisation_batch_gradient_sums<T>, grid,
                    stream, x, dy, statistics, matrix);
    case batch_norm_gradient:
      return launch("normalisation_batch_norm_gradient", normalisation_batch_norm_gradient<T>, grid,
                    stream, x, dy, out, statistics, matrix);
    default:
      ensure(false, "not a kernel of batch norm");
  }
}

}  // namespace

void enqueue_batch_norm(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream,
                        Arithmetic halves) {
  with_element(shape.bytes, halves,
               [&](auto element) { run<decltype(element)>(shape, regions, stream); });
}

}  // namespace mimus::kernels::cuda
