// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/ring_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr int kRingThreads = 512;  ///< of NCCL's blocks for large messages
constexpr int kFour = 4;

struct RingSteps {
  std::int64_t elements;  ///< of all chunks
  std::int64_t chunk;     ///< elements of a chunk, a multiple of four
  int ranks;
  std::uint64_t nanoseconds;  ///< per step
};

/// The time of a clock that all multiprocessors share, in ns. It ticks every 32 ns to 1 µs.
__device__ std::uint64_t global_time() {
  std::uint64_t time = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

/// Waits like a block of NCCL that waits for its neighbour: it stays resident but leaves the units
/// to others.
__device__ void wait_until(std::uint64_t time) {
  if (threadIdx.x == 0) {
    while (global_time() < time) {
#if __CUDA_ARCH__ >= 700
      __nanosleep(200);
#endif
    }
  }
  __syncthreads();
}

/// Adds what has arrived to packs that are `stride` elements apart, or overwrites them with it. All
/// packs are in flight at once.
template <bool Adds, int Packs>
__device__ void take_packs(float* data, const float* buffer, std::int64_t stride) {
  Pack<float> own[Packs];
  Pack<float> other[Packs];
#pragma unroll
  for (int k = 0; k < Packs; ++k) {
    if constexpr (Adds) own[k] = load<kFour>(data + k * stride);
    other[k] = load<kFour>(buffer + k * stride);
  }
#pragma unroll
  for (int k = 0; k < Packs; ++k) {
#pragma unroll
    for (int i = 0; i < kFour; ++i) {
      const float arrived = other[k].lane[i];
      if constexpr (Adds) {
        own[k].lane[i] = bounded(0.5F * (own[k].lane[i] + arrived));
      } else {
        own[k].lane[i] = bounded(arrived);
      }
    }
    store(data + k * stride, own[k]);
  }
}

/// This block's part of a chunk. The chunk begins at a multiple of four elements.
template <bool Adds>
__device__ void take_chunk(float* data, const float* buffer, std::int64_t first,
                           std::int64_t last) {
  constexpr int kAtOnce = 4;
  const std::int64_t stride = gridDim.x * std::int64_t{kRingThreads} * kFour;
  std::int64_t i = first + (blockIdx.x * std::int64_t{kRingThreads} + threadIdx.x) * kFour;
  for (; i + (kAtOnce - 1) * stride + kFour <= last; i += kAtOnce * stride) {
    take_packs<Adds, kAtOnce>(data + i, buffer + i, stride);
  }
  for (; i + kFour <= last; i += stride) take_packs<Adds, 1>(data + i, buffer + i, stride);
  for (; i < last; ++i) {  // one thread: up to three elements at the end
    data[i] = bounded(Adds ? 0.5F * (data[i] + buffer[i]) : buffer[i]);
  }
}

__global__ void __launch_bounds__(kRingThreads)
    collective_ring_emulated(float* data, const float* buffer, RingSteps steps) {
  const std::uint64_t begin = global_time();
  const int all = 2 * (steps.ranks - 1);
  for (int step = 0; step < all; ++step) {
    const std::int64_t first = min(steps.elements, step % steps.ranks * steps.chunk);
    const std::int64_t last = min(steps.elements, first + steps.chunk);
    if (step < steps.ranks - 1) {
      take_chunk<true>(data, buffer, first, last);
    } else {
      take_chunk<false>(data, buffer, first, last);
    }
    if (steps.nanoseconds > 0) {
      wait_until(begin + static_cast<std::uint64_t>(step + 1) * steps.nanoseconds);
    }
  }
}

bool starts_pack(const float* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(Pack<float>) == 0;
}

}  // namespace

double ring_bytes(const RingShape& shape) {
  const double ranks = shape.ranks;
  return 2.0 * (ranks - 1.0) / ranks * 4.0 * static_cast<double>(shape.elements);
}

void enqueue_ring(const RingShape& shape, float* data, float* buffer, cudaStream_t stream) {
  ensure(shape.ranks >= 2, "a ring has at least two ranks");
  ensure(shape.ctas >= 1, "a ring runs in at least one thread block");
  ensure(starts_pack(data) && starts_pack(buffer), "a ring's data begin at multiples of 16 bytes");
  if (shape.elements == 0) return;
  RingSteps steps{.elements = shape.elements, .chunk = 0, .ranks = shape.ranks, .nanoseconds = 0};
  const std::int64_t chunk = (shape.elements + shape.ranks - 1) / shape.ranks;
  steps.chunk = (chunk + kFour - 1) / kFour * kFour;
  double seconds = shape.latency;
  if (shape.bandwidth > 0.0) {
    seconds += ring_bytes(shape) / (2.0 * (shape.ranks - 1)) / shape.bandwidth;
  }
  steps.nanoseconds = static_cast<std::uint64_t>(1e9 * seconds);
  launch("collective_ring_emulated", collective_ring_emulated,
         {.grid = shape.ctas, .block = kRingThreads}, stream, data, buffer, steps);
}

}  // namespace mimus::kernels::cuda
