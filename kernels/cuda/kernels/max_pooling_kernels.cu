// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/dynamic_shared.cuh"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/max_pooling_kernels.hpp"
#include "kernels/launch/tiling.hpp"

namespace mimus::kernels::cuda {
namespace {

// Work is divided among threads as in PyTorch 2.11 (DilatedMaxPool2d.cu, max_pool_forward_nhwc and
// max_pool_backward_nhwc). These kernels go element by element and gather in shared memory. They
// therefore take several times as long as the bytes of the images would.

constexpr int kThreads = 1024;
constexpr int kWarp = 32;
constexpr int kMostLinesOfBlock = 64;  ///< limit of a block along z
constexpr int kMostChannelsOfThread = 4;
constexpr std::int64_t kPixelsOfThread = 2;  ///< in each direction
constexpr std::int64_t kMostBlocks = 65'535;

/// One side of the images: windows begin `step` apart, the first one `before` pixels outside.
struct Side {
  int large, small;
  int window, step, before;

  /// First and last pixel of a window inside the image.
  __device__ int begin(int at) const { return max(at * step - before, 0); }
  __device__ int end(int at) const { return min(at * step - before + window, large); }
  /// The windows that contain a pixel.
  __device__ int first_window(int place) const {
    return place + before < window ? 0 : (place + before - window) / step + 1;
  }
  __device__ int end_window(int place) const { return min((place + before) / step + 1, small); }
};

struct Shape {
  int batch, channels;
  int channels_of_thread, channel_blocks;
  Side rows, columns;
};

/// The part of one thread: some channels of one image, and some of its rows and columns.
struct Part {
  std::int64_t image;
  int channel, channel_step;
  int row, end_row, column, end_column;

  __device__ Part(const Shape& shape, int rows, int columns)
      : image(blockIdx.x % static_cast<unsigned>(shape.batch)),
        channel_step(static_cast<int>(blockDim.x) * shape.channel_blocks) {
    const auto block = static_cast<int>(blockIdx.x) / shape.batch;
    const auto blocks_down = static_cast<int>(gridDim.z);
    const auto blocks_across = static_cast<int>(gridDim.y);
    const int down = (rows + blocks_down - 1) / blocks_down;
    const int across = (columns + blocks_across - 1) / blocks_across;
    const int first_row = static_cast<int>(blockIdx.z) * down;
    const int first_column = static_cast<int>(blockIdx.y) * across;
    channel = static_cast<int>(threadIdx.x) + block * static_cast<int>(blockDim.x);
    row = static_cast<int>(threadIdx.z) + first_row;
    end_row = min(first_row + down, rows);
    column = static_cast<int>(threadIdx.y) + first_column;
    end_column = min(first_column + across, columns);
  }
};

/// The numbers of this thread, one per channel, in the block's shared memory.
template <class T>
struct Kept {
  T* first;

  __device__ Kept(void* memory, const Shape& shape)
      : first(static_cast<T*>(memory) +
              (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x *
                  static_cast<unsigned>(shape.channels_of_thread) +
              threadIdx.x) {}
  __device__ T& operator[](int channel) const {
    return first[channel * static_cast<int>(blockDim.x)];
  }
};

template <class T>
__global__ void __launch_bounds__(kThreads)
    reduction_pooling_max(const T* large, T* small, std::int64_t* positions, Shape shape) {
  const Part part(shape, shape.rows.small, shape.columns.small);
  const std::int64_t pixels = std::int64_t{shape.rows.large} * shape.columns.large;
  const T* const image = large + part.image * pixels * shape.channels;
  const Kept<int> places(dynamic_shared, shape);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const auto channels_of_thread = static_cast<unsigned>(shape.channels_of_thread);
  const Kept<T> best(reinterpret_cast<int*>(dynamic_shared) + threads * channels_of_thread, shape);
  for (int row = part.row; row < part.end_row; row += static_cast<int>(blockDim.z)) {
    for (int column = part.column; column < part.end_column;
         column += static_cast<int>(blockDim.y)) {
      for (int i = 0; i < shape.channels_of_thread; ++i) {
        best[i] = from_float<T>(-kLargest);
        places[i] = shape.rows.begin(row) * shape.columns.large + shape.columns.begin(column);
      }
      for (int y = shape.rows.begin(row); y < shape.rows.end(row); ++y) {
        for (int x = shape.columns.begin(column); x < shape.columns.end(column); ++x) {
          const int place = y * shape.columns.large + x;
          const T* const from = image + std::int64_t{place} * shape.channels;
          for (int i = 0, c = part.channel; c < shape.channels; ++i, c += part.channel_step) {
            if (to_float(from[c]) <= to_float(best[i])) continue;
            best[i] = from[c];
            places[i] = place;
          }
        }
      }
      const std::int64_t pixel =
          (part.image * shape.rows.small + row) * shape.columns.small + column;
      for (int i = 0, c = part.channel; c < shape.channels; ++i, c += part.channel_step) {
        small[pixel * shape.channels + c] = from_float<T>(bounded(to_float(best[i])));
        positions[pixel * shape.channels + c] = places[i];
      }
    }
  }
}

/// A pixel gets the gradients of all windows in which it is the maximum. Other pixels get the
/// smallest allowed number.
template <class T>
__global__ void __launch_bounds__(kThreads)
    reduction_pooling_max_gradient(const T* small, const std::int64_t* positions, T* large,
                                   Shape shape) {
  const Part part(shape, shape.rows.large, shape.columns.large);
  const std::int64_t windows = std::int64_t{shape.rows.small} * shape.columns.small;
  const std::int64_t pixels = std::int64_t{shape.rows.large} * shape.columns.large;
  const std::int64_t first = part.image * windows * shape.channels;
  const Kept<float> sums(dynamic_shared, shape);
  for (int row = part.row; row < part.end_row; row += static_cast<int>(blockDim.z)) {
    for (int column = part.column; column < part.end_column;
         column += static_cast<int>(blockDim.y)) {
      const int place = row * shape.columns.large + column;
      for (int i = 0; i < shape.channels_of_thread; ++i) sums[i] = 0.0F;
      for (int y = shape.rows.first_window(row); y < shape.rows.end_window(row); ++y) {
        for (int x = shape.columns.first_window(column); x < shape.columns.end_window(column);
             ++x) {
          const std::int64_t window =
              first + std::int64_t{y * shape.columns.small + x} * shape.channels;
          for (int i = 0, c = part.channel; c < shape.channels; ++i, c += part.channel_step) {
            if (positions[window + c] == place) sums[i] += to_float(small[window + c]);
          }
        }
      }
      T* const to = large + (part.image * pixels + place) * shape.channels;
      for (int i = 0, c = part.channel; c < shape.channels; ++i, c += part.channel_step) {
        to[c] = from_float<T>(bounded(sums[i]));
      }
    }
  }
}

Side side_of(std::int64_t small, std::int64_t step, std::int64_t window) {
  return {static_cast<int>(small * step), static_cast<int>(small), static_cast<int>(window),
          static_cast<int>(step), static_cast<int>((window - step + 1) / 2)};
}

/// Channels along x, columns along y and rows along z, of the output image.
struct Division {
  dim3 grid, block;

  Division(Shape& shape, int rows, int columns) {
    int wide = power_below(shape.channels, kWarp);
    const int across = power_below(columns, kThreads / wide);
    const int down = power_below(rows, std::min(kThreads / wide / across, kMostLinesOfBlock));
    wide = power_below(shape.channels, kThreads / across / down);
    shape.channel_blocks =
        static_cast<int>(ceil_div(shape.channels, std::int64_t{wide} * kMostChannelsOfThread));
    shape.channels_of_thread =
        static_cast<int>(ceil_div(shape.channels, std::int64_t{wide} * shape.channel_blocks));
    const auto blocks = [](std::int64_t pixels, int threads) {
      return static_cast<unsigned>(
          std::min(ceil_div(pixels, threads * kPixelsOfThread), kMostBlocks));
    };
    block = dim3(static_cast<unsigned>(wide), static_cast<unsigned>(across),
                 static_cast<unsigned>(down));
    grid = dim3(static_cast<unsigned>(shape.batch * shape.channel_blocks), blocks(columns, across),
                blocks(rows, down));
  }

  /// With shared memory for `bytes` per channel and thread.
  [[nodiscard]] LaunchShape launch_shape(const Shape& shape, std::size_t bytes) const {
    const std::size_t threads = std::size_t{block.x} * block.y * block.z;
    const auto channels = static_cast<std::size_t>(shape.channels_of_thread);
    return {.grid = grid, .block = block, .shared_bytes = threads * channels * bytes};
  }
};

/// Throws if the kernels, which count in 32 bits, would overflow.
void ensure_countable(const Pooling& p) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::int64_t pixels = p.height * p.stride_height * p.width * p.stride_width;
  ensure(pixels <= kMost && p.channels <= kMost && p.batch * p.channels <= kMost,
         "max pooling takes images of less than 2^31 places, and as many channels of all samples");
}

template <class T>
void run(const Pooling& pooling, const RegionAddresses& regions, cudaStream_t stream) {
  ensure_countable(pooling);
  Shape shape{.batch = static_cast<int>(pooling.batch),
              .channels = static_cast<int>(pooling.channels),
              .channels_of_thread = 1,
              .channel_blocks = 1,
              .rows = side_of(pooling.height, pooling.stride_height, pooling.window_height),
              .columns = side_of(pooling.width, pooling.stride_width, pooling.window_width)};
  const auto* in = regions.at<const T>(pooling.in);
  auto* out = regions.at<T>(pooling.out);
  if (pooling.function == Pooling::Function::max) {
    const Division division(shape, shape.rows.small, shape.columns.small);
    return launch("reduction_pooling_max", reduction_pooling_max<T>,
                  division.launch_shape(shape, sizeof(int) + sizeof(T)), stream, in, out,
                  regions.at<std::int64_t>(pooling.positions), shape);
  }
  const Division division(shape, shape.rows.large, shape.columns.large);
  launch("reduction_pooling_max_gradient", reduction_pooling_max_gradient<T>,
         division.launch_shape(shape, sizeof(float)), stream, in,
         regions.at<const std::int64_t>(pooling.positions), out, shape);
}

}  // namespace

void enqueue_max_pooling(const Pooling& launch, const RegionAddresses& regions, cudaStream_t stream,
                         Arithmetic halves) {
  if (launch.batch * launch.channels * launch.height * launch.width == 0) return;
  with_element(launch.bytes, halves,
               [&](auto element) { run<decltype(element)>(launch, regions, stream); });
}

}  // namespace mimus::kernels::cuda
