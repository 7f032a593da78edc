// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/kernels/common/launch_shape.hpp"

namespace mimus::kernels::cuda {

// Tests that run kernels on the host have their own versions of these two. `arguments`: a pointer
// to each.

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
