// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace mimus::kernels::cuda {

// In assembly, because in unrolled loops the compiler splits the copy of a pack and writes its
// elements one by one.

__device__ inline void store_words(void* address, uint4 words) {
  asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(words.x), "r"(words.y),
               "r"(words.z), "r"(words.w)
               : "memory");
}

__device__ inline void store_words(void* address, uint2 words) {
  asm volatile("st.v2.b32 [%0], {%1, %2};" ::"l"(address), "r"(words.x), "r"(words.y) : "memory");
}

__device__ inline void store_words(void* address, unsigned word) {
  asm volatile("st.b32 [%0], %1;" ::"l"(address), "r"(word) : "memory");
}

}  // namespace mimus::kernels::cuda
