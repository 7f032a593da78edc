// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <limits>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/occupancy.cuh"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/normalisation/batch_norm_kernels.hpp"
#include "kernels/cuda/kernels/normalisation/batch_norm_means.cuh"
#include "kernels/cuda/kernels/normalisation/batch_norm_statistics.cuh"
#include "kernels/launch/batch_norm_tiling.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Blocks per multiprocessor, which limits the registers of a thread: as many as PyTorch's kernels
/// have.
constexpr int kBlocksThatSum = blocks_at_once(3, kBatchNormThreads);
constexpr int kBlocksThatMap = blocks_at_once(4, kBatchNormThreads);

/// Means of x and x² by Welford's updates. Each of the rows that are read ahead has its own mean.
template <class T, class Index>
__global__ void __launch_bounds__(kBatchNormThreads, kBlocksThatSum)
    normalisation_batch_statistics(const T* x, Statistics statistics, Matrix<Index> matrix,
                                   Meeting meeting) {
  const Place<Index> place;
  float mean[kRowsAhead] = {};
  float squares[kRowsAhead] = {};  // sum of squared deviations
  int count[kRowsAhead] = {};
  float value[kRowsAhead];
  float inverse[kRowsAhead];
  if (place.column < matrix.columns) {
    for_rows(
        matrix, place,
        [&](int k, Index at) {
          value[k] = to_float(x[at]);
          inverse[k] = 1.0F / static_cast<float>(++count[k]);
        },
        [&](int k, Index) {
          const float before = value[k] - mean[k];
          mean[k] += before * inverse[k];
          squares[k] += before * (value[k] - mean[k]);
        });
  }
  float sum = 0.0F;
  float square = 0.0F;
#pragma unroll
  for (int k = 0; k < kRowsAhead; ++k) {
    sum += static_cast<float>(count[k]) * mean[k];
    square += squares[k] + static_cast<float>(count[k]) * mean[k] * mean[k];
  }
  write_means(place, matrix, meeting, sum, square, statistics.mean, statistics.square);
}

template <class T, class Index>
__global__ void __launch_bounds__(kBatchNormThreads, kBlocksThatMap)
    normalisation_batch_norm(const T* x, T* y, Statistics statistics, Matrix<Index> matrix) {
  const Place<Index> place;
  if (place.column >= matrix.columns) return;
  const NormalisedColumn normalised(statistics, place.column);
  float value[kRowsAhead];
  for_rows(
      matrix, place, [&](int k, Index at) { value[k] = to_float(x[at]); },
      [&](int k, Index at) {
        y[at] = from_float<T>(bounded(kCentre + kSpread * normalised.of(value[k])));
      });
}

/// Calls use(k, element, x, dy) for the rows of a thread, which are read ahead.
template <class T, class Index, class Use>
__device__ void for_gradients(const Matrix<Index>& matrix, const Place<Index>& place, const T* x,
                              const T* dy, Use use) {
  float value[kRowsAhead];
  float gradient[kRowsAhead];
  for_rows(
      matrix, place,
      [&](int k, Index at) {
        value[k] = to_float(x[at]);
        gradient[k] = to_float(dy[at]);
      },
      [&](int k, Index at) { use(k, at, value[k], gradient[k]); });
}

/// Means of dy and of dy·x̂.
template <class T, class Index>
__global__ void __launch_bounds__(kBatchNormThreads, kBlocksThatSum)
    normalisation_batch_gradient_sums(const T* x, const T* dy, Statistics statistics,
                                      Matrix<Index> matrix, Meeting meeting) {
  const Place<Index> place;
  float sum[kRowsAhead] = {};
  float sum_x[kRowsAhead] = {};
  if (place.column < matrix.columns) {
    const NormalisedColumn normalised(statistics, place.column);
    for_gradients(matrix, place, x, dy, [&](int k, Index, float value, float gradient) {
      sum[k] += gradient;
      sum_x[k] += gradient * normalised.of(value);
    });
  }
#pragma unroll
  for (int k = 1; k < kRowsAhead; ++k) {
    sum[0] += sum[k];
    sum_x[0] += sum_x[k];
  }
  write_means(place, matrix, meeting, sum[0], sum_x[0], statistics.dy, statistics.dy_x);
}

/// dx = s·(dy − mean(dy) − x̂·mean(dy·x̂)), s = kSpread ÷ deviation.
template <class T, class Index>
__global__ void __launch_bounds__(kBatchNormThreads, kBlocksThatMap)
    normalisation_batch_norm_gradient(const T* x, const T* dy, T* dx, Statistics statistics,
                                      Matrix<Index> matrix) {
  const Place<Index> place;
  if (place.column >= matrix.columns) return;
  const NormalisedColumn normalised(statistics, place.column);
  const float mean_dy = statistics.dy[place.column];
  const float mean_dy_x = statistics.dy_x[place.column];
  for_gradients(matrix, place, x, dy, [&](int, Index at, float value, float gradient) {
    const float correction = mean_dy + normalised.of(value) * mean_dy_x;
    dx[at] = from_float<T>(bounded(kSpread * normalised.inverse * (gradient - correction)));
  });
}

LaunchShape grid_of(const BatchNormTiling& tiling, std::int64_t segments) {
  return {.grid = dim3(static_cast<unsigned>(tiling.tiles), static_cast<unsigned>(segments)),
          .block = dim3(static_cast<unsigned>(tiling.wide), static_cast<unsigned>(tiling.high))};
}

__global__ void __launch_bounds__(kBatchNormThreads)
    elementwise_clear(unsigned* values, unsigned count) {
  const unsigned at = blockIdx.x * kBatchNormThreads + threadIdx.x;
  if (at < count) values[at] = 0;
}

/// Clears the counters by which blocks synchronise. PyTorch's own 16-bit norms do this with a
/// kernel. cuDNN's norms, which PyTorch uses in fp32, do it with a fill.
Meeting prepare_meeting(const BatchNormTiling& tiling, const Reduction& shape,
                        const RegionAddresses& regions, cudaStream_t stream) {
  auto* scratch = regions.at<std::byte>(shape.scratch);
  auto* done = reinterpret_cast<unsigned*>(scratch + tiling.done);
  const auto count = static_cast<unsigned>(tiling.tiles);
  if (tiling.scratch_bytes > 0 && shape.bytes == sizeof(float)) {
    check_cuda(cudaMemsetAsync(done, 0, count * sizeof *done, stream), "cudaMemsetAsync");
  } else if (tiling.scratch_bytes > 0) {
    launch(
        "elementwise_clear", elementwise_clear,
        {.grid = (count + kBatchNormThreads - 1) / kBatchNormThreads, .block = kBatchNormThreads},
        stream, done, count);
  }
  return {reinterpret_cast<float*>(scratch), done};
}

template <class T, class Index>
void run(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  using enum Reduction::Function;
  const auto* x = regions.at<const T>(shape.x);
  const auto* dy = regions.at<const T>(shape.dy);
  auto* out = regions.at<T>(shape.out);
  const Statistics statistics(regions.at<float>(shape.statistics), shape.columns);
  const Matrix<Index> matrix{static_cast<Index>(shape.rows), static_cast<Index>(shape.columns)};
  const BatchNormTiling tiling(shape.rows, shape.columns);
  const LaunchShape sums = grid_of(tiling, tiling.summing_segments);
  const LaunchShape map = grid_of(tiling, tiling.segments);
  switch (shape.function) {
    case batch_statistics:
      return launch("normalisation_batch_statistics", normalisation_batch_statistics<T, Index>,
                    sums, stream, x, statistics, matrix,
                    prepare_meeting(tiling, shape, regions, stream));
    case batch_norm:
      return launch("normalisation_batch_norm", normalisation_batch_norm<T, Index>, map, stream, x,
                    out, statistics, matrix);
    case batch_gradient_sums:
      return launch("normalisation_batch_gradient_sums",
                    normalisation_batch_gradient_sums<T, Index>, sums, stream, x, dy, statistics,
                    matrix, prepare_meeting(tiling, shape, regions, stream));
    case batch_norm_gradient:
      return launch("normalisation_batch_norm_gradient",
                    normalisation_batch_norm_gradient<T, Index>, map, stream, x, dy, out,
                    statistics, matrix);
    default:
      ensure(false, "not a kernel of batch norm");
  }
}

/// Whether 32 bits suffice for all indices, including those that a loop computes beyond the end.
bool is_small(const Reduction& shape) {
  const BatchNormTiling tiling(shape.rows, shape.columns);
  const std::int64_t beyond = 2 * kRowsAhead * tiling.high * tiling.segments;
  return (shape.rows + beyond) * shape.columns <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

void enqueue_batch_norm(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream,
                        Arithmetic halves) {
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    if (is_small(shape)) {
      run<T, std::int32_t>(shape, regions, stream);
    } else {
      run<T, std::int64_t>(shape, regions, stream);
    }
  });
}

}  // namespace mimus::kernels::cuda
