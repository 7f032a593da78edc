// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/cuda_error.hpp"

#include <string>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus::kernels::cuda {
namespace {

std::string reason(cudaError_t code, std::string_view call) {
  return fmt::format("{}: {} ({})", call, cudaGetErrorString(code), cudaGetErrorName(code));
}

std::string_view next_step(cudaError_t code) {
  switch (code) {
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
      return "check `nvidia-smi` and CUDA_VISIBLE_DEVICES, or run with `device: cpu`";
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorUnsupportedPtxVersion:
      return "install a newer driver, or build with a CUDA toolkit that this driver supports";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
      return "rebuild with this device's architecture in CMAKE_CUDA_ARCHITECTURES";
    case cudaErrorDevicesUnavailable:
      return "another process holds the device exclusively: end it, or set the compute mode to "
             "default with `nvidia-smi -c 0`";
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsServerNotReady:
    case cudaErrorMpsMaxClientsReached:
    case cudaErrorMpsMaxConnectionsReached:
      return "see the MPS log folder (CUDA_MPS_LOG_DIRECTORY), or run without MPS";
    default:
      return "see whether `nvidia-smi` and CUDA's deviceQuery sample work on this machine";
  }
}

std::string with_memory_use(const std::string& message) {
  const std::string use = device_memory_use();
  return use.empty() ? message : fmt::format("{}; {}", message, use);
}

}  // namespace

Fault classify(cudaError_t code) {
  switch (code) {
    case cudaSuccess:
      return Fault::none;
    case cudaErrorMemoryAllocation:
      return Fault::out_of_memory;
    case cudaErrorInitializationError:
    case cudaErrorStubLibrary:
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorDeviceNotLicensed:
    case cudaErrorStartupFailure:
    case cudaErrorInvalidKernelImage:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorOperatingSystem:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsServerNotReady:
    case cudaErrorMpsMaxClientsReached:
    case cudaErrorMpsMaxConnectionsReached:
      return Fault::environment;
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorMpsRpcFailure:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
      return Fault::device_lost;
    default:
      return Fault::library;
  }
}

DeviceFullError::DeviceFullError(const std::string& message)
    : OutOfMemoryError(ExitCode::run_failed, with_memory_use(message)) {}

std::string device_memory_use() {
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // otherwise the next launch would report it
    return {};
  }
  const auto text = [](std::size_t bytes) {
    return format_bytes(Bytes{static_cast<double>(bytes)});
  };
  return fmt::format("{} of the device's {} are in use", text(total - free), text(total));
}

void check_cuda(cudaError_t code, std::string_view call) {
  switch (classify(code)) {
    case Fault::none:
      return;
    case Fault::out_of_memory:
      // CUDA remembers it, and the next launch would report it.
      static_cast<void>(cudaGetLastError());
      throw DeviceFullError(reason(code, call));
    case Fault::environment:
      throw EnvironmentError(fmt::format("{}; {}", reason(code, call), next_step(code)));
    case Fault::device_lost:
      throw DeviceLostError(fmt::format(
          "{}; the device is lost to this process, see `dmesg` for the driver's Xid message",
          reason(code, call)));
    case Fault::library:
      throw LibraryError(call, code, cudaGetErrorString(code));
  }
}

void check_cublas(cublasStatus_t code, std::string_view call) {
  if (code == CUBLAS_STATUS_SUCCESS) return;
  const std::string text = cublasLtGetStatusString(code);
  switch (code) {
    case CUBLAS_STATUS_ALLOC_FAILED:
      throw DeviceFullError(fmt::format("{}: {}", call, text));
    case CUBLAS_STATUS_NOT_INITIALIZED:
      throw EnvironmentError(fmt::format(
          "{}: {}; cuBLASLt found no usable device or driver, see `nvidia-smi`", call, text));
    case CUBLAS_STATUS_ARCH_MISMATCH:
      throw EnvironmentError(
          fmt::format("{}: {}; this device does not support the requested arithmetic: choose fp32 "
                      "or fp16 instead of tf32 or bf16",
                      call, text));
    default:
      throw LibraryError(call, code, text);
  }
}

}  // namespace mimus::kernels::cuda
