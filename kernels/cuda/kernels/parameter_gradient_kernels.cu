// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/parameter_gradient_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr int kTileSide = 32;
constexpr int kAhead = 8;  ///< rows that a thread reads at once

/// The rows that a warp reads at once: kAhead neighbours. Its first lanes hold their statistics.
struct RowsAhead {
  std::int64_t first;
  float mean, inverse;

  __device__ RowsAhead(const float* statistics, std::int64_t first_row, std::int64_t rows)
      : first(first_row), mean(0.0F), inverse(0.0F) {
    const std::int64_t row = first + threadIdx.x;
    if (threadIdx.x >= kAhead || row >= rows) return;
    mean = statistics[row];
    inverse = statistics[rows + row];
  }
  [[nodiscard]] __device__ float normalised(int k, float x) const {
    constexpr unsigned kAllLanes = 0xFFFFFFFF;
    return (x - __shfl_sync(kAllLanes, mean, k)) * __shfl_sync(kAllLanes, inverse, k);
  }
};

/// Gradients of layer norm's scale and shift: means of dy·x̂ and of dy over the rows. One block
/// takes 32 columns and all their rows, 256 rows at once, like PyTorch's (layer_norm_kernel.cu,
/// GammaBetaBackwardCUDAKernelTemplate).
template <class T>
__global__ void __launch_bounds__(kTileSide* kTileSide)
    normalisation_parameter_gradient(const T* x, const T* dy, const float* statistics, float* sums,
                                     std::int64_t rows, std::int64_t columns) {
  const std::int64_t column = blockIdx.x * std::int64_t{kTileSide} + threadIdx.x;
  float scale = 0.0F;
  float shift = 0.0F;
  for (std::int64_t row = threadIdx.y * kAhead; row < rows; row += kTileSide * kAhead) {
    const RowsAhead ahead(statistics, row, rows);
    float gradient[kAhead] = {};
    float value[kAhead] = {};
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (row + k >= rows || column >= columns) continue;
      gradient[k] = to_float(dy[(row + k) * columns + column]);
      value[k] = to_float(x[(row + k) * columns + column]);
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      scale += gradient[k] * ahead.normalised(k, value[k]);
      shift += gradient[k];
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
void run(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  const auto tiles = static_cast<unsigned>((shape.columns + kTileSide - 1) / kTileSide);
  launch("normalisation_parameter_gradient", normalisation_parameter_gradient<T>,
         {.grid = tiles, .block = dim3(kTileSide, kTileSide)}, stream, regions.at<const T>(shape.x),
         regions.at<const T>(shape.dy), regions.at<const float>(shape.statistics),
         regions.at<float>(shape.out), shape.rows, shape.columns);
}

}  // namespace

void enqueue_parameter_gradient(const Reduction& shape, const RegionAddresses& regions,
                                cudaStream_t stream, Arithmetic halves) {
  with_element(shape.bytes, halves,
               [&](auto element) { run<decltype(element)>(shape, regions, stream); });
}

}  // namespace mimus::kernels::cuda
