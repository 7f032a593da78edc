// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/cuda_memory.hpp"

#include <cuda_runtime_api.h>
#include <string>

#include <fmt/format.h>

#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

std::string text_of(const char* call, std::size_t bytes) {
  return fmt::format("{} of {} bytes", call, bytes);
}

}  // namespace

void* DeviceMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  check_cuda(cudaMalloc(&memory, bytes), text_of("cudaMalloc", bytes));
  return memory;
}

void DeviceMemory::free(void* memory) noexcept {
  static_cast<void>(cudaFree(memory));
}

void* PinnedMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t code = cudaMallocHost(&memory, bytes);
  if (code == cudaErrorMemoryAllocation) {  // the host is out of memory, not the device
    static_cast<void>(cudaGetLastError());  // otherwise the next launch would report it
    throw OutOfMemoryError(ExitCode::run_failed,
                           fmt::format("{}: the host has no more memory that it can pin",
                                       text_of("cudaMallocHost", bytes)));
  }
  check_cuda(code, text_of("cudaMallocHost", bytes));
  return memory;
}

void PinnedMemory::free(void* memory) noexcept {
  static_cast<void>(cudaFreeHost(memory));
}

}  // namespace mimus::kernels::cuda
