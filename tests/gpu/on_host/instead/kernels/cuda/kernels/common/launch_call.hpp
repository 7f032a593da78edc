// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <utility>

#include "kernels/cuda/kernels/common/launch_shape.hpp"
#include "tests/gpu/on_host/grid_run.hpp"

namespace mimus::kernels::cuda {

template <class... Parameters, std::size_t... Index>
void call(void (*kernel)(Parameters...), void** arguments, std::index_sequence<Index...>) {
  kernel(*static_cast<Parameters*>(arguments[Index])...);
}

template <class... Parameters>
[[nodiscard]] cudaError_t start(void (*kernel)(Parameters...), const LaunchShape& shape,
                                cudaStream_t, void** arguments) {
  return on_host::run_grid(shape.grid, shape.block, shape.shared_bytes, [&] {
    call(kernel, arguments, std::index_sequence_for<Parameters...>{});
  });
}

/// Blocks run one after another, so one block is all that may wait for others.
template <class... Parameters>
[[nodiscard]] cudaError_t start_cooperative(void (*kernel)(Parameters...), const LaunchShape& shape,
                                            cudaStream_t stream, void** arguments) {
  if (shape.grid.x * shape.grid.y * shape.grid.z > 1) return cudaErrorCooperativeLaunchTooLarge;
  return start(kernel, shape, stream, arguments);
}

}  // namespace mimus::kernels::cuda
