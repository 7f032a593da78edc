// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "base/error.hpp"
#include "kernels/cuda/kernels/common/word_store.cuh"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

inline constexpr float kSmallest = 0x1p-10F;  ///< a normal number of every element type
inline constexpr float kLargest = 4.0F;

/// Every kernel applies this to a result before it writes it. The magnitude becomes one of
/// [kSmallest, kLargest] and the sign stays. So whatever memory held, and in whatever order kernels
/// run, no tensor can contain a zero, an infinity or a NaN (fminf and fmaxf return their other
/// operand for a NaN) after any number of steps. Costs three instructions per element.
__host__ __device__ inline float bounded(float value) {
  return copysignf(fminf(fmaxf(fabsf(value), kSmallest), kLargest), value);
}

/// Optimisers apply this to weights. Weights that leave [0.1, 1) at one end re-enter at the other,
/// so their distribution stays uniform however long they drift in one direction.
__host__ __device__ inline float wrapped(float weight) {
  const float up = weight < 0.1F ? weight + 0.9F : weight;
  const float inside = up >= 1.0F ? up - 0.9F : up;
  return fminf(fmaxf(inside, 0.1F), 1.0F);
}

__host__ __device__ inline float to_float(float value) {
  return value;
}
__host__ __device__ inline float to_float(__half value) {
  return __half2float(value);
}
__host__ __device__ inline float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

/// Rounded to nearest.
template <class T>
__host__ __device__ inline T from_float(float value);
template <>
__host__ __device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__host__ __device__ inline __half from_float<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__host__ __device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

/// Elements of a 16-byte access, the widest of a thread.
template <class T>
inline constexpr int kVector = static_cast<int>(16 / sizeof(T));

/// Neighbouring elements that one instruction reads or writes.
template <class T, int Width = kVector<T>>
struct alignas(sizeof(T) * Width) Pack {
  T lane[Width];
};

template <class To, class From>
__device__ inline To copied(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

template <int Width, class T>
__device__ inline Pack<T, Width> load(const T* address) {
  return *reinterpret_cast<const Pack<T, Width>*>(address);
}

/// Stores a pack by one instruction. The address may be one of shared memory.
template <class T, int Width>
__device__ inline void store(T* address, const Pack<T, Width>& pack) {
  if constexpr (sizeof(pack) == 16) {
    store_words(address, copied<uint4>(pack));
  } else if constexpr (sizeof(pack) == 8 && Width > 1) {
    store_words(address, copied<uint2>(pack));
  } else if constexpr (sizeof(pack) == 4 && Width > 1) {
    store_words(address, copied<unsigned>(pack));
  } else {
    *reinterpret_cast<Pack<T, Width>*>(address) = pack;
  }
}

/// Calls `body` with a value of the element type: float for 4 bytes, `halves` (fp16 or bf16) for 2.
template <class Body>
void with_element(std::int64_t bytes, Arithmetic halves, Body&& body) {
  ensure(bytes == 4 || bytes == 2, "elements of a kernel have 4 or 2 bytes");
  if (bytes == 4) {
    body(float{});
  } else if (halves == Arithmetic::fp16) {
    body(__half{});
  } else {
    body(__nv_bfloat16{});
  }
}

/// Calls `body` with std::integral_constant of the widest access for rows of `columns` elements:
/// all rows begin at a multiple of it.
template <class T, class Body>
void with_width(std::int64_t columns, Body&& body) {
  if (columns % kVector<T> == 0) {
    body(std::integral_constant<int, kVector<T>>{});
  } else {
    body(std::integral_constant<int, 1>{});
  }
}

}  // namespace mimus::kernels::cuda
