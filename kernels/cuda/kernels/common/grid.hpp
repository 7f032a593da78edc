// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <string_view>
#include <type_traits>

#include "kernels/cuda/kernels/common/launch_call.hpp"
#include "kernels/cuda/kernels/common/launch_shape.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {

/// Multiprocessors of the current device as its driver reports them; queried once per device.
[[nodiscard]] int multiprocessors();

/// Blocks of a grid-stride kernel with work for `threads` threads: no more than keep the device
/// full.
[[nodiscard]] unsigned streaming_blocks(std::int64_t threads, int block_threads = kBlockThreads);

/// Blocks of a cooperative kernel: about half of those that fit on an empty device. That is enough
/// for its bandwidth and leaves room for the kernels of a collective beside it.
[[nodiscard]] unsigned resident_blocks(const void* kernel, int block_threads,
                                       std::size_t shared_bytes);

/// Lets a kernel use `bytes` of dynamic shared memory besides its static memory. False if the
/// device has less per block.
[[nodiscard]] bool allow_shared_memory(const void* kernel, std::size_t bytes);

/// The status of a launch. Clears the error of a refused launch in this thread; otherwise a later
/// call would report it as its own.
[[nodiscard]] inline cudaError_t cleared(cudaError_t status) {
  if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
  return status;
}

/// Launches `kernel`; throws LibraryError naming `call` when the launch is refused.
template <class... Parameters>
void launch(std::string_view call, void (*kernel)(Parameters...), const LaunchShape& shape,
            cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)...};
  check_cuda(cleared(start(kernel, shape, stream, pointers)), call);
}

/// The same for a kernel whose blocks wait for one another. Returns false and launches nothing if
/// they would not all be resident at the same time.
template <class... Parameters>
[[nodiscard]] bool launch_cooperative(std::string_view call, void (*kernel)(Parameters...),
                                      const LaunchShape& shape, cudaStream_t stream,
                                      std::type_identity_t<Parameters>... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)...};
  const cudaError_t status = cleared(start_cooperative(kernel, shape, stream, pointers));
  if (status == cudaErrorCooperativeLaunchTooLarge) return false;
  check_cuda(status, call);
  return true;
}

}  // namespace mimus::kernels::cuda
