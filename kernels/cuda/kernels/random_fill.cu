// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/cuda/kernels/common/grid.hpp"
#include "kernels/cuda/kernels/common/philox.cuh"
#include "kernels/cuda/kernels/common/vector_access.cuh"
#include "kernels/cuda/kernels/random_fill.hpp"

namespace mimus::kernels::cuda {
namespace {

template <class T>
__device__ T rounded_down(float value);
template <>
__device__ float rounded_down<float>(float value) {
  return value;
}
template <>
__device__ __half rounded_down<__half>(float value) {
  return __float2half_rd(value);
}
template <>
__device__ __nv_bfloat16 rounded_down<__nv_bfloat16>(float value) {
  return __float2bfloat16_rd(value);
}

/// Rounding down cannot reach 1. The offset above 0.1 exceeds the rounding error of bf16, whose
/// numbers are 2^-11 apart there.
template <class T>
__device__ T uniform_element(std::uint32_t bits) {
  return rounded_down<T>(0.1005F + 0.8994F * unit_float(bits));
}

template <class T>
__global__ void __launch_bounds__(kBlockThreads)
    fill_random(T* data, std::int64_t elements, PhiloxPosition position) {
  constexpr int kFour = 4;  // elements per counter
  const std::int64_t first = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  const std::int64_t packs = (elements + kFour - 1) / kFour;
  for (std::int64_t pack = first; pack < packs; pack += stride) {
    const uint4 bits = philox_at(position, static_cast<std::uint64_t>(pack));
    Pack<T, kFour> values;
#pragma unroll
    for (int i = 0; i < kFour; ++i) values.lane[i] = uniform_element<T>(word(bits, i));
    const std::int64_t element = pack * kFour;
    if (element + kFour <= elements) {
      store(data + element, values);
      continue;
    }
#pragma unroll
    for (int i = 0; i < kFour; ++i) {
      if (element + i < elements) data[element + i] = values.lane[i];
    }
  }
}

/// The upper half of 32 random bits times the bound (Lemire, 2019). The deviation from uniform is
/// less than bound ÷ 2³².
__global__ void __launch_bounds__(kBlockThreads)
    fill_random_indices(std::int64_t* data, std::int64_t elements, std::uint64_t bound,
                        PhiloxPosition position) {
  const std::int64_t stride = gridDim.x * std::int64_t{kBlockThreads};
  for (std::int64_t i = blockIdx.x * std::int64_t{kBlockThreads} + threadIdx.x; i < elements;
       i += stride) {
    const uint4 bits = philox_at(position, static_cast<std::uint64_t>(i));
    data[i] = static_cast<std::int64_t>((bits.x * bound) >> 32U);
  }
}

}  // namespace

void random_fill(std::byte* data, std::int64_t elements, Arithmetic element, std::uint64_t seed,
                 cudaStream_t stream) {
  if (elements == 0) return;
  with_element(element_bytes(element), element, [&](auto value) {
    using T = decltype(value);
    launch("fill_random", fill_random<T>, {.grid = streaming_blocks(elements / 4 + 1)}, stream,
           reinterpret_cast<T*>(data), elements, PhiloxPosition{seed, 0});
  });
}

void random_fill_indices(std::int64_t* data, std::int64_t elements, std::int64_t bound,
                         std::uint64_t seed, cudaStream_t stream) {
  ensure(bound >= 1 && bound <= std::int64_t{1} << 32, "indices are drawn below 1 to 2^32");
  if (elements == 0) return;
  launch("fill_random_indices", fill_random_indices, {.grid = streaming_blocks(elements)}, stream,
         data, elements, static_cast<std::uint64_t>(bound), PhiloxPosition{seed, 0});
}

}  // namespace mimus::kernels::cuda
