// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/max_pooling_kernels.hpp"
#include "kernels/cuda/kernels/pooling_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

/// A small image, each pixel of which stands for a window of a large image.
struct Windows {
  std::int64_t batch, height, width;  ///< of the small image
  std::int64_t channels;
  std::int64_t stride_height, stride_width;
};

/// The window of one pixel, beginning at one pack of channels.
struct Window {
  std::int64_t small;  ///< element of the small image
  std::int64_t large;  ///< element of the large image at the window's upper left corner
  std::int64_t large_width;

  __device__ Window(const Windows& shape, std::int64_t pack, int width) {
    const std::int64_t packs = shape.channels / width;
    const std::int64_t pixel = pack / packs;
    const std::int64_t channel = (pack - pixel * packs) * width;
    const std::int64_t line = pixel / shape.width;
    const std::int64_t column = pixel - line * shape.width;
    const std::int64_t image = line / shape.height;
    const std::int64_t row = line - image * shape.height;
    large_width = shape.width * shape.stride_width;
    const std::int64_t place =
        row * shape.stride_height * large_width + column * shape.stride_width;
    small = pixel * shape.channels + channel;
    const std::int64_t plane = shape.height * shape.stride_height * large_width;
    large = (image * plane + place) * shape.channels + channel;
  }
};

/// Calls `body` with the offset of every pixel of a window, in pixels.
template <class Body>
__device__ void for_places(const Windows& shape, const Window& window, Body body) {
  for (std::int64_t row = 0; row < shape.stride_height; ++row) {
#pragma unroll 4
    for (std::int64_t column = 0; column < shape.stride_width; ++column) {
      body(row * window.large_width + column);
    }
  }
}

template <class Body>
__device__ void for_packs(std::int64_t packs, Body body) {
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  for (std::int64_t pack = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x; pack < packs;
       pack += stride) {
    body(pack);
  }
}

/// Average pooling, and the gradient of an upsampling.
template <class T, int Width>
__global__ void __launch_bounds__(kBlockThreads)
    reduction_pooling_average(const T* large, T* small, Windows shape, std::int64_t packs) {
  const float share = 1.0F / static_cast<float>(shape.stride_height * shape.stride_width);
  for_packs(packs, [&](std::int64_t pack) {
    const Window window(shape, pack, Width);
    float sum[Width] = {};
    for_places(shape, window, [&](std::int64_t offset) {
      const Pack<T, Width> value = load<Width>(large + window.large + offset * shape.channels);
#pragma unroll
      for (int i = 0; i < Width; ++i) sum[i] += to_float(value.lane[i]);
    });
    Pack<T, Width> result;
#pragma unroll
    for (int i = 0; i < Width; ++i) result.lane[i] = from_float<T>(bounded(sum[i] * share));
    store(small + window.small, result);
  });
}

/// Upsampling, and the gradient of average pooling. The gradient is not divided by the window's
/// size, or it would shrink towards zero from layer to layer.
template <class T, int Width>
__global__ void __launch_bounds__(kBlockThreads)
    reduction_pooling_spread(const T* small, T* large, Windows shape, std::int64_t packs) {
  for_packs(packs, [&](std::int64_t pack) {
    const Window window(shape, pack, Width);
    const Pack<T, Width> value = load<Width>(small + window.small);
    for_places(shape, window, [&](std::int64_t offset) {
      store(large + window.large + offset * shape.channels, value);
    });
  });
}

Windows windows_of(const Pooling& shape) {
  using enum Pooling::Function;
  Windows windows{shape.batch,    shape.height,        shape.width,
                  shape.channels, shape.stride_height, shape.stride_width};
  if (shape.function == upsample || shape.function == upsample_gradient) {
    ensure(shape.height % shape.stride_height == 0 && shape.width % shape.stride_width == 0,
           "the output of an upsampling is a multiple of its strides");
    windows.height /= shape.stride_height;
    windows.width /= shape.stride_width;
  }
  return windows;
}

template <class T, int Width>
void run(const Pooling& shape, const RegionAddresses& regions, cudaStream_t stream) {
  using enum Pooling::Function;
  const Windows windows = windows_of(shape);
  const std::int64_t packs =
      windows.batch * windows.height * windows.width * (windows.channels / Width);
  if (packs == 0) return;
  const LaunchShape grid{.grid = streaming_blocks(packs)};
  const auto* in = regions.at<const T>(shape.in);
  auto* out = regions.at<T>(shape.out);
  switch (shape.function) {
    case max:
    case max_gradient:
      ensure(false, "max pooling has kernels of its own");
      return;
    case average:
    case upsample_gradient:
      return launch("reduction_pooling_average", reduction_pooling_average<T, Width>, grid, stream,
                    in, out, windows, packs);
    case average_gradient:
    case upsample:
      return launch("reduction_pooling_spread", reduction_pooling_spread<T, Width>, grid, stream,
                    in, out, windows, packs);
  }
}

}  // namespace

void enqueue(const Pooling& shape, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves) {
  using enum Pooling::Function;
  if (shape.function == max || shape.function == max_gradient) {
    return enqueue_max_pooling(shape, regions, stream, halves);
  }
  with_element(shape.bytes, halves, [&](auto element) {
    using T = decltype(element);
    with_width<T>(shape.channels,
                  [&](auto width) { run<T, decltype(width)::value>(shape, regions, stream); });
  });
}

}  // namespace mimus::kernels::cuda
