// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_memory.hpp"

#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include "kernels/cuda/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

void check_allocation(cudaError_t code, const char* call, std::size_t bytes) {
  // Remembered as the last error, where it would be taken for a launch failure.
  if (code == cudaErrorMemoryAllocation) static_cast<void>(cudaGetLastError());
  check_cuda(code, fmt::format("{} of {} bytes", call, bytes));
}

}  // namespace

void* DeviceMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  check_allocation(cudaMalloc(&memory, bytes), "cudaMalloc", bytes);
  return memory;
}

void DeviceMemory::free(void* memory) noexcept {
  static_cast<void>(cudaFree(memory));
}

void* PinnedMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  check_allocation(cudaMallocHost(&memory, bytes), "cudaMallocHost", bytes);
  return memory;
}

void PinnedMemory::free(void* memory) noexcept {
  static_cast<void>(cudaFreeHost(memory));
}

}  // namespace mimus::kernels::cuda
