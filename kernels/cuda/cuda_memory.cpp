// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_memory.hpp"

#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include "kernels/cuda/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

template <class Allocate>
void* allocate(std::size_t bytes, const char* call, Allocate&& how) {
  void* memory = nullptr;
  if (bytes == 0) return memory;
  const cudaError_t code = how(&memory, bytes);
  if (code == cudaErrorMemoryAllocation) static_cast<void>(cudaGetLastError());
  check_cuda(code, fmt::format("{} of {} bytes", call, bytes));
  return memory;
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes)
    : memory_(allocate(bytes, "cudaMalloc",
                       [](void** memory, std::size_t size) { return cudaMalloc(memory, size); })),
      bytes_(static_cast<std::int64_t>(bytes)) {}

void DeviceBuffer::Free::operator()(void* memory) const noexcept {
  static_cast<void>(cudaFree(memory));
}

PinnedBuffer::PinnedBuffer(std::size_t bytes)
    : memory_(
          allocate(bytes, "cudaMallocHost",
                   [](void** memory, std::size_t size) { return cudaMallocHost(memory, size); })),
      bytes_(static_cast<std::int64_t>(bytes)) {}

void PinnedBuffer::Free::operator()(void* memory) const noexcept {
  static_cast<void>(cudaFreeHost(memory));
}

}  // namespace mimus::kernels::cuda
