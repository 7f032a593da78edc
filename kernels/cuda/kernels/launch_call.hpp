// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>

namespace mimus::kernels::cuda {

/// Threads of a block of every streaming kernel.
inline constexpr int kBlockThreads = 256;

/// What stands between the angle brackets of a launch.
struct LaunchShape {
  dim3 grid{1};
  dim3 block{kBlockThreads};
  std::size_t shared_bytes = 0;
};

// Tests that run kernels on the host have their own of these two. `arguments`: a pointer to each.

template <class... Parameters>
[[nodiscard]] cudaError_t start(void (*kernel)(Parameters...), const LaunchShape& shape,
                                cudaStream_t stream, void** arguments) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), shape.grid, shape.block, arguments,
                          shape.shared_bytes, stream);
}

template <class... Parameters>
[[nodiscard]] cudaError_t start_cooperative(void (*kernel)(Parameters...), const LaunchShape& shape,
                                            cudaStream_t stream, void** arguments) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), shape.grid, shape.block,
                                     arguments, shape.shared_bytes, stream);
}

}  // namespace mimus::kernels::cuda
