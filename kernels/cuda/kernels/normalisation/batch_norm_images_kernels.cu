// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/normalisation/batch_norm_images_kernels.hpp"
#include "kernels/cuda/kernels/normalisation/batch_norm_statistics.cuh"
#include "kernels/cuda/kernels/normalisation/row_kernels.cuh"

namespace mimus::kernels::cuda {
namespace {

constexpr int kThreads = 512;
constexpr std::int64_t kMostBlocks = 256 * 1024;
constexpr std::int64_t kMostLines = 65'535;  ///< limit of a grid along y

struct Images {
  std::int64_t count, channels, pixels;
  int wide;  ///< threads along the pixels of an image; a block's other threads take other images

  [[nodiscard]] __host__ __device__ int high() const { return kThreads / wide; }
  [[nodiscard]] __device__ std::int64_t elements() const { return count * pixels; }
};

/// Calls use(element) for this thread's elements of the block's channel.
template <class Use>
__device__ void for_channel(const Images& images, Use use) {
  const int line = static_cast<int>(threadIdx.x) / images.wide;
  const int lane = static_cast<int>(threadIdx.x) % images.wide;
  std::int64_t image = static_cast<std::int64_t>(blockIdx.y) * images.high() + line;
  for (; image < images.count; image += static_cast<std::int64_t>(gridDim.y) * images.high()) {
    const std::int64_t begin = (image * images.channels + blockIdx.x) * images.pixels;
    for (std::int64_t pixel = lane; pixel < images.pixels; pixel += images.wide) {
      use(begin + pixel);
    }
  }
}

__device__ RowGroup whole_block(const Images& images) {
  return RowGroup({images.channels, images.pixels, kThreads, false});
}

/// Means of x and x² by Welford's updates.
template <class T>
__global__ void __launch_bounds__(kThreads)
    normalisation_image_statistics(const T* x, Statistics statistics, Images images) {
  float mean = 0.0F;
  float squares = 0.0F;  // sum of squared deviations
  int count = 0;
  for_channel(images, [&](std::int64_t at) {
    const float value = to_float(x[at]);
    const float before = value - mean;
    mean += before / static_cast<float>(++count);
    squares += before * (value - mean);
  });
  const RowGroup block = whole_block(images);
  const float sum = block.sum(static_cast<float>(count) * mean);
  const float square = block.sum(squares + static_cast<float>(count) * mean * mean);
  if (threadIdx.x != 0) return;
  const float share = 1.0F / static_cast<float>(images.elements());
  statistics.mean[blockIdx.x] = share * sum;
  statistics.square[blockIdx.x] = share * square;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    normalisation_images(const T* x, T* y, Statistics statistics, Images images) {
  const NormalisedColumn normalised(statistics, blockIdx.x);
  for_channel(images, [&](std::int64_t at) {
    y[at] = from_float<T>(bounded(kCentre + kSpread * normalised.of(to_float(x[at]))));
  });
}

/// dx = s·(dy − mean(dy) − x̂·mean(dy·x̂)), s = kSpread ÷ deviation.
template <class T>
__global__ void __launch_bounds__(kThreads)
    normalisation_image_gradient(const T* x, const T* dy, T* dx, Statistics statistics,
                                 Images images) {
  const NormalisedColumn normalised(statistics, blockIdx.x);
  float sum = 0.0F;
  float sum_x = 0.0F;
  for_channel(images, [&](std::int64_t at) {
    const float gradient = to_float(dy[at]);
    sum += gradient;
    sum_x += gradient * normalised.of(to_float(x[at]));
  });
  const RowGroup block = whole_block(images);
  const float share = 1.0F / static_cast<float>(images.elements());
  const float mean_dy = share * block.sum(sum);
  const float mean_dy_x = share * block.sum(sum_x);
  if (threadIdx.x == 0) {
    statistics.dy[blockIdx.x] = mean_dy;
    statistics.dy_x[blockIdx.x] = mean_dy_x;
  }
  for_channel(images, [&](std::int64_t at) {
    const float correction = mean_dy + normalised.of(to_float(x[at])) * mean_dy_x;
    const float gradient = to_float(dy[at]) - correction;
    dx[at] = from_float<T>(bounded(kSpread * normalised.inverse * gradient));
  });
}

/// The smallest of 32, 64, …, 512 that covers a row of pixels, or 512.
int threads_along(std::int64_t pixels) {
  int threads = kWarp;
  while (threads < kThreads && threads < pixels) threads *= 2;
  return threads;
}

template <class T>
void run(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream) {
  using enum Reduction::Function;
  const auto* x = regions.at<const T>(shape.x);
  const auto* dy = regions.at<const T>(shape.dy);
  auto* out = regions.at<T>(shape.out);
  const Statistics statistics(regions.at<float>(shape.statistics), shape.columns);
  const Images images{shape.rows / shape.image, shape.columns, shape.image,
                      threads_along(shape.image)};
  const auto channels = static_cast<unsigned>(shape.columns);
  const LaunchShape channel{.grid = channels, .block = kThreads};
  switch (shape.function) {
    case batch_statistics:
      return launch("normalisation_image_statistics", normalisation_image_statistics<T>, channel,
                    stream, x, statistics, images);
    case batch_norm: {
      const std::int64_t shared =
          std::clamp<std::int64_t>(kMostBlocks / shape.columns, 1, kMostLines);
      const auto lines = static_cast<unsigned>(
          std::min(shared, (images.count + images.high() - 1) / images.high()));
      return launch("normalisation_images", normalisation_images<T>,
                    {.grid = dim3(channels, lines), .block = kThreads}, stream, x, out, statistics,
                    images);
    }
    case batch_norm_gradient:
      return launch("normalisation_image_gradient", normalisation_image_gradient<T>, channel,
                    stream, x, dy, out, statistics, images);
    default:
      ensure(false, "not a kernel of batch norm with the channels first");
  }
}

}  // namespace

void enqueue_image_batch_norm(const Reduction& shape, const RegionAddresses& regions,
                              cudaStream_t stream, Arithmetic halves) {
  with_element(shape.bytes, halves,
               [&](auto element) { run<decltype(element)>(shape, regions, stream); });
}

}  // namespace mimus::kernels::cuda
