// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace mimus::kernels::cuda {

/// The device, or this process's context on it, is unusable for the rest of the process. Only a new
/// process helps.
class DeviceLostError : public Error {
 public:
  explicit DeviceLostError(const std::string& message) : Error(ExitCode::run_failed, message) {}
};

/// The meaning of a code of the CUDA runtime for an attempt and for the run.
enum class Fault {
  none,
  out_of_memory,  ///< ends the attempt
  environment,    ///< no usable device or driver; the machine must be fixed
  device_lost,    ///< sticky: every later call in this process returns it too
  library,        ///< any other
};
[[nodiscard]] Fault classify(cudaError_t code);

/// The device has no more memory, whether a replica of this run or another process uses it.
class DeviceFullError : public OutOfMemoryError {
 public:
  /// Adds device_memory_use() to the message.
  explicit DeviceFullError(const std::string& message);
};

/// Memory use of the current device: "79.1 GB of the device's 85 GB are in use". It includes all
/// processes, and what each has besides its own allocations; empty if the driver does not report
/// it.
[[nodiscard]] std::string device_memory_use();

/// Each throws unless `code` means success: DeviceFullError, EnvironmentError with the next step,
/// DeviceLostError, else LibraryError with the library's own text. `call` is the function's name.
void check_cuda(cudaError_t code, std::string_view call);
void check_cublas(cublasStatus_t code, std::string_view call);

}  // namespace mimus::kernels::cuda
