// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kernels/common/vector_access.cuh"

namespace mimus::kernels::cuda {

/// Adds one element if the architecture has no instruction for its type: exchanges the aligned word
/// that holds it until no other thread has changed it meanwhile.
template <class T>
__device__ inline void add_by_exchange(T* address, T value) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  auto* word = reinterpret_cast<unsigned*>(place & ~std::uintptr_t{3});
  const unsigned shift = (place & 2U) != 0 ? 16U : 0U;
  unsigned seen = *word;
  unsigned expected = 0;
  do {
    expected = seen;
    const auto bits = static_cast<unsigned short>(expected >> shift);
    T old;
    static_assert(sizeof(T) == sizeof(bits));
    memcpy(static_cast<void*>(&old), &bits, sizeof(T));
    const T sum = from_float<T>(to_float(old) + to_float(value));
    unsigned short sum_bits = 0;
    memcpy(&sum_bits, &sum, sizeof(T));
    const unsigned replaced =
        (expected & ~(0xFFFFU << shift)) | (static_cast<unsigned>(sum_bits) << shift);
    seen = atomicCAS(word, expected, replaced);
  } while (seen != expected);
}

__device__ inline void atomic_add_one(float* address, float value) {
  atomicAdd(address, value);
}

__device__ inline void atomic_add_one(__half* address, __half value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  atomicAdd(address, value);
#else
  add_by_exchange(address, value);
#endif
}

__device__ inline void atomic_add_one(__nv_bfloat16* address, __nv_bfloat16 value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  atomicAdd(address, value);
#else
  add_by_exchange(address, value);
#endif
}

template <class T, int Width>
__device__ inline void atomic_add_each(T* address, const Pack<T, Width>& value) {
#pragma unroll
  for (int i = 0; i < Width; ++i) atomic_add_one(address + i, value.lane[i]);
}

/// Four floats at once from sm_90 on.
template <int Width>
__device__ inline void atomic_add(float* address, const Pack<float, Width>& value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && CUDART_VERSION >= 12010
  if constexpr (Width == 4) {
    atomicAdd(reinterpret_cast<float4*>(address),
              make_float4(value.lane[0], value.lane[1], value.lane[2], value.lane[3]));
  } else {
    atomic_add_each(address, value);
  }
#else
  atomic_add_each(address, value);
#endif
}

/// Two elements at once from sm_70 on.
template <int Width>
__device__ inline void atomic_add(__half* address, const Pack<__half, Width>& value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  if constexpr (Width > 1) {
#pragma unroll
    for (int i = 0; i < Width; i += 2) {
      atomicAdd(reinterpret_cast<__half2*>(address + i),
                __halves2half2(value.lane[i], value.lane[i + 1]));
    }
  } else {
    atomic_add_each(address, value);
  }
#else
  atomic_add_each(address, value);
#endif
}

/// Two elements at once from sm_80 on.
template <int Width>
__device__ inline void atomic_add(__nv_bfloat16* address, const Pack<__nv_bfloat16, Width>& value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (Width > 1) {
#pragma unroll
    for (int i = 0; i < Width; i += 2) {
      atomicAdd(reinterpret_cast<__nv_bfloat162*>(address + i),
                __halves2bfloat162(value.lane[i], value.lane[i + 1]));
    }
  } else {
    atomic_add_each(address, value);
  }
#else
  atomic_add_each(address, value);
#endif
}

}  // namespace mimus::kernels::cuda
