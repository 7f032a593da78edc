// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included before every kernel that is compiled for the host: what nvcc knows of the language and
// the device, as far as Mimus's kernels use it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <strings.h>
#include <type_traits>

#include "tests/gpu/on_host/grid_run.hpp"

#undef __device__
#undef __global__
#undef __host__
#undef __launch_bounds__
#undef __shared__
#define __device__
#define __global__
#define __host__
#define __launch_bounds__(...)
#define __shared__ static  // blocks run one after another

#define threadIdx (mimus::on_host::current.thread)
#define blockIdx (mimus::on_host::current.block)
#define blockDim (mimus::on_host::current.threads)
#define gridDim (mimus::on_host::current.blocks)

using std::max;
using std::min;

inline void __syncthreads() {
  mimus::on_host::wait_for_block();
}
inline void __syncwarp() {
  mimus::on_host::wait_for_warp();
}

inline void __threadfence() {}  // blocks run one after another

template <class T>
T __shfl_sync(unsigned, T value, unsigned lane) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = mimus::on_host::exchanged(bits, lane);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int distance) {
  return __shfl_sync(mask, value, mimus::on_host::lane() ^ static_cast<unsigned>(distance));
}

inline unsigned __ballot_sync(unsigned mask, bool value) {
  unsigned all = 0;
  for (unsigned lane = 0; lane < mimus::on_host::kWarpThreads; ++lane) {
    all |= __shfl_sync(mask, value ? 1U : 0U, lane) << lane;
  }
  return all;
}
inline int __ffs(int value) {
  return ffs(value);
}

template <class T>
T atomicAdd(T* address, T value) {
  const T old = *address;
  if constexpr (std::is_integral_v<T>) {
    *address = static_cast<T>(old + value);
  } else {
    *address = static_cast<T>(static_cast<float>(old) + static_cast<float>(value));
  }
  return old;
}
inline unsigned atomicCAS(unsigned* address, unsigned expected, unsigned replacement) {
  const unsigned old = *address;
  if (old == expected) *address = replacement;
  return old;
}
template <class T>
T __ldcg(const T* address) {
  return *address;
}
template <class T>
T __ldcs(const T* address) {
  return *address;
}
template <class T>
void __stcs(T* address, T value) {
  *address = value;
}
inline float rsqrtf(float value) {
  return 1.0F / std::sqrt(value);
}
inline float __expf_on_host(float value) {
  return std::exp(value);
}
inline float __logf_on_host(float value) {
  return std::log(value);
}
#define __expf __expf_on_host  // the C library has functions of these names
#define __logf __logf_on_host
