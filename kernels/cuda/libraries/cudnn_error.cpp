// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/cudnn_error.hpp"

#include <string>

#include <fmt/format.h>

namespace mimus::kernels::cuda {
namespace {

/// CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED, which the first headers of cuDNN 9 (9.1) do not have.
constexpr int kSublibraryLoadingFailed = 1008;

bool is_of_installation(cudnnStatus_t code) {
  switch (code) {
    case CUDNN_STATUS_NOT_INITIALIZED:
    case CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH:
    case CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH:
    case CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER:
    case CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDART:
    case CUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING:
    case CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE:
      return true;
    default:
      return code == kSublibraryLoadingFailed;
  }
}

}  // namespace

void check_cudnn(cudnnStatus_t code, std::string_view call) {
  if (code == CUDNN_STATUS_SUCCESS) return;
  const std::string text = cudnnGetErrorString(code);
  if (is_of_installation(code)) {
    throw EnvironmentError(
        fmt::format("{}: {}; check that the libcudnn libraries on LD_LIBRARY_PATH have one "
                    "version, which supports this driver and device, or build without cuDNN",
                    call, text));
  }
  switch (code) {
    case CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED:
      throw DeviceFullError(fmt::format("{}: {}", call, text));
    case CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED:
      throw OutOfMemoryError(ExitCode::run_failed, fmt::format("{}: {}", call, text));
    case CUDNN_STATUS_EXECUTION_FAILED:
    case CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER:
    case CUDNN_STATUS_EXECUTION_FAILED_CUDART:
      // The context remembers an error of the device, which says more than cuDNN's status.
      check_cuda(cudaFree(nullptr), call);
      throw LibraryError(call, code, text);
    default:
      throw LibraryError(call, code, text);
  }
}

}  // namespace mimus::kernels::cuda
