// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <mma.h>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/stressor_kernels.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr int kChains = 8;  ///< independent chains per thread, enough to hide the latency of an FMA
constexpr int kDepth = 64;  ///< operations per chain and iteration
constexpr int kMatrixTile = 16;
constexpr int kWarpTiles = 4;       ///< independent sums per warp
constexpr int kProducts = 16;       ///< products per sum and iteration
constexpr int kSharedWords = 4096;  ///< words of 4 bytes per block

/// Keeps `value` alive: the compiler cannot know that it never equals this number.
__device__ void keep(float value, float* sink) {
  if (value == -12345.0F) *sink = value;
}

__global__ void __launch_bounds__(kBlockThreads)
    stressor_fma(std::int64_t iterations, float half, float* sink) {
  float chain[kChains];
#pragma unroll
  for (int i = 0; i < kChains; ++i) chain[i] = 0.1F * static_cast<float>(threadIdx.x + i);
  for (std::int64_t n = 0; n < iterations; ++n) {
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
#pragma unroll
      for (int i = 0; i < kChains; ++i) chain[i] = fmaf(chain[i], half, half);
    }
  }
  float sum = 0.0F;
#pragma unroll
  for (int i = 0; i < kChains; ++i) sum += chain[i];
  keep(sum, sink);
}

/// sum ← A·B + sum with A·B = ±1/64 in turn.
__global__ void __launch_bounds__(kBlockThreads)
    stressor_tensor(std::int64_t iterations, float entry, float* sink) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, kMatrixTile, kMatrixTile, kMatrixTile, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, kMatrixTile, kMatrixTile, kMatrixTile, __half, wmma::row_major> up,
      down;
  wmma::fragment<wmma::accumulator, kMatrixTile, kMatrixTile, kMatrixTile, float> sums[kWarpTiles];
  wmma::fill_fragment(a, __float2half(entry));
  wmma::fill_fragment(up, __float2half(entry));
  wmma::fill_fragment(down, __float2half(-entry));
#pragma unroll
  for (auto& sum : sums) wmma::fill_fragment(sum, 1.0F);
  for (std::int64_t n = 0; n < iterations; ++n) {
#pragma unroll
    for (int k = 0; k < kProducts; k += 2) {
#pragma unroll
      for (auto& sum : sums) wmma::mma_sync(sum, a, up, sum);
#pragma unroll
      for (auto& sum : sums) wmma::mma_sync(sum, a, down, sum);
    }
  }
  float total = 0.0F;
#pragma unroll
  for (auto& sum : sums) total += sum.x[0];
  keep(total, sink);
}

__global__ void __launch_bounds__(kBlockThreads)
    stressor_dram(const uint4* from, uint4* to, std::int64_t units, std::int64_t iterations) {
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  for (std::int64_t n = 0; n < iterations; ++n) {
    std::int64_t i = first;
    for (; i + stride < units; i += 2 * stride) {
      const uint4 near = __ldcs(from + i);
      const uint4 far = __ldcs(from + i + stride);
      __stcs(to + i, near);
      __stcs(to + i + stride, far);
    }
    if (i < units) __stcs(to + i, __ldcs(from + i));
  }
}

__global__ void __launch_bounds__(kBlockThreads)
    stressor_l2(const uint4* data, std::int64_t units, std::int64_t iterations, float* sink) {
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  unsigned mixed = 0;
  for (std::int64_t n = 0; n < iterations; ++n) {
#pragma unroll 4
    for (std::int64_t i = first; i < units; i += stride) {
      const uint4 value = __ldcg(data + i);
      mixed ^= value.x ^ value.y ^ value.z ^ value.w;
    }
    mixed += static_cast<unsigned>(n);  // otherwise an even number of rounds would cancel out
  }
  keep(static_cast<float>(mixed), sink);
}

/// Neighbouring threads use neighbouring words, which lie in different banks. No thread uses a word
/// of another one: in both halves the indices move on by one block per iteration.
__global__ void __launch_bounds__(kBlockThreads)
    stressor_shared(std::int64_t iterations, float* sink) {
  constexpr unsigned kHalf = kSharedWords / 2;
  __shared__ unsigned words[kSharedWords];
  for (unsigned i = threadIdx.x; i < kSharedWords; i += kBlockThreads) words[i] = i;
  unsigned low = 1;
  unsigned high = 2;
  unsigned place = threadIdx.x;
  for (std::int64_t n = 0; n < iterations; ++n) {
    volatile unsigned* const word = words + place;
    low ^= word[0];
    high ^= word[kHalf];
    word[0] = low + high;
    word[kHalf] = high - low;
    place = (place + kBlockThreads) % kHalf;
  }
  keep(static_cast<float>(low ^ high), sink);
}

__global__ void stressor_nothing(float* sink) {
  keep(static_cast<float>(clock()), sink);
}

unsigned blocks_of(const StressorLoad& load, int per_multiprocessor) {
  return load.blocks != 0 ? load.blocks
                          : static_cast<unsigned>(per_multiprocessor * multiprocessors());
}

double times(const StressorLoad& load, double amount) {
  return static_cast<double>(load.iterations) * amount;
}

}  // namespace

StressorWork stress_fma(const StressorLoad& load, float* sink, cudaStream_t stream) {
  const unsigned blocks = blocks_of(load, 8);
  launch("stressor_fma", stressor_fma, {.grid = blocks}, stream, load.iterations, 0.5F, sink);
  const double per_thread = 2.0 * kChains * kDepth;
  return {.flop = times(load, per_thread * kBlockThreads * blocks), .launches = 1.0};
}

StressorWork stress_tensor_cores(const StressorLoad& load, float* sink, cudaStream_t stream) {
  const unsigned blocks = blocks_of(load, 8);
  launch("stressor_tensor", stressor_tensor, {.grid = blocks}, stream, load.iterations, 0x1p-5F,
         sink);
  const double product = 2.0 * kMatrixTile * kMatrixTile * kMatrixTile;
  const double per_warp = product * kWarpTiles * kProducts;
  return {.flop = times(load, per_warp * (kBlockThreads / 32.0) * blocks), .launches = 1.0};
}

StressorWork stress_dram(const StressorLoad& load, std::byte* data, cudaStream_t stream) {
  const std::int64_t units = load.bytes / 32;
  ensure(units > 0, "a DRAM stressor copies at least 16 bytes");
  const auto* from = reinterpret_cast<const uint4*>(data);
  launch("stressor_dram", stressor_dram, {.grid = blocks_of(load, 8)}, stream, from,
         reinterpret_cast<uint4*>(data) + units, units, load.iterations);
  return {.bytes = times(load, 32.0 * static_cast<double>(units)), .launches = 1.0};
}

StressorWork stress_l2(const StressorLoad& load, std::byte* data, float* sink,
                       cudaStream_t stream) {
  const std::int64_t units = load.bytes / 16;
  ensure(units > 0, "an L2 stressor reads at least 16 bytes");
  launch("stressor_l2", stressor_l2, {.grid = blocks_of(load, 8)}, stream,
         reinterpret_cast<const uint4*>(data), units, load.iterations, sink);
  return {.bytes = times(load, 16.0 * static_cast<double>(units)), .launches = 1.0};
}

StressorWork stress_shared_memory(const StressorLoad& load, float* sink, cudaStream_t stream) {
  const unsigned blocks = blocks_of(load, 8);
  launch("stressor_shared", stressor_shared, {.grid = blocks}, stream, load.iterations, sink);
  // Each thread reads and writes two words per iteration.
  return {.bytes = times(load, 16.0 * kBlockThreads * blocks), .launches = 1.0};
}

StressorWork stress_launches(const StressorLoad& load, float* sink, cudaStream_t stream) {
  const LaunchShape one{.grid = load.blocks != 0 ? load.blocks : 1U, .block = 32};
  for (std::int64_t n = 0; n < load.iterations; ++n) {
    launch("stressor_nothing", stressor_nothing, one, stream, sink);
  }
  return {.launches = static_cast<double>(load.iterations)};
}

StressorWork stress_pcie(const StressorLoad& load, std::byte* pinned, std::byte* data,
                         cudaStream_t stream) {
  const auto bytes = static_cast<std::size_t>(load.bytes);
  for (std::int64_t n = 0; n < load.iterations; ++n) {
    check_cuda(cudaMemcpyAsync(data, pinned, bytes, cudaMemcpyHostToDevice, stream),
               "cudaMemcpyAsync");
    check_cuda(cudaMemcpyAsync(pinned, data, bytes, cudaMemcpyDeviceToHost, stream),
               "cudaMemcpyAsync");
  }
  return {.bytes = times(load, 2.0 * static_cast<double>(load.bytes))};
}

}  // namespace mimus::kernels::cuda
