// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::kernels::cuda {

/// Threads that a multiprocessor holds (CUDA programming guide, compute capabilities).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int kMultiprocessorThreads = 1024;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || \
                                 __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
inline constexpr int kMultiprocessorThreads = 1536;
#else
inline constexpr int kMultiprocessorThreads = 2048;
#endif

/// Second argument of __launch_bounds__: this many blocks on a multiprocessor, or as many as it
/// holds. It bounds the registers of a thread.
constexpr int blocks_at_once(int blocks, int threads) {
  return blocks * threads <= kMultiprocessorThreads ? blocks : kMultiprocessorThreads / threads;
}

}  // namespace mimus::kernels::cuda
