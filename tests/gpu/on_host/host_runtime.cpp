// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The part of the CUDA runtime that tests of kernels call, on a device that is the host. A call
// returns when everything is done.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <map>
#include <sys/mman.h>

#include "tests/gpu/on_host/grid_run.hpp"

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kAlignment = 256;  ///< as in cudaMalloc
constexpr int kPattern = 0xA5;

struct Allocation {
  std::byte* begin = nullptr;  ///< beginning of its pages
  std::size_t pages = 0;       ///< bytes, and one more page that must not be touched
  std::size_t bytes = 0;
};

std::map<void*, Allocation>& allocations() {
  static std::map<void*, Allocation> all;
  return all;
}

std::byte* end_of(void* memory, const Allocation& of) {
  return static_cast<std::byte*>(memory) + of.bytes;
}

}  // namespace

extern "C" {

/// The memory ends right before an unreadable page, except for the alignment.
cudaError_t cudaMalloc(void** memory, size_t bytes) {
  const std::size_t room =
      std::max<std::size_t>(1, (bytes + kAlignment - 1) / kAlignment) * kAlignment;
  Allocation made{.pages = (room + kPage - 1) / kPage * kPage, .bytes = bytes};
  void* pages =
      mmap(nullptr, made.pages + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return cudaErrorMemoryAllocation;
  made.begin = static_cast<std::byte*>(pages);
  mprotect(made.begin + made.pages, kPage, PROT_NONE);
  std::memset(made.begin, kPattern, made.pages);
  *memory = made.begin + (made.pages - room);
  allocations()[*memory] = made;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t*, size_t*) {
  return cudaErrorNotSupported;
}

cudaError_t cudaFree(void* memory) {
  const auto found = allocations().find(memory);
  if (found == allocations().end()) return cudaErrorInvalidValue;
  const Allocation& of = found->second;
  const auto untouched = [](std::byte byte) { return byte == std::byte{kPattern}; };
  if (!std::all_of(of.begin, static_cast<std::byte*>(memory), untouched) ||
      !std::all_of(end_of(memory, of), of.begin + of.pages, untouched)) {
    mimus::on_host::fail("memory before or behind an allocation was written");
  }
  munmap(of.begin, of.pages + kPage);
  allocations().erase(found);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemsetAsync(void* memory, int byte, size_t bytes, cudaStream_t) {
  std::memset(memory, byte, bytes);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

/// A small device: kernels divide their work by its size, and each thread costs time.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = 2;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = 227 * 1024;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, size_t) {
  *blocks = 1;
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) {
  return "an error of the pretended runtime";
}
const char* cudaGetErrorName(cudaError_t) {
  return "cudaError";
}
const char* cublasLtGetStatusString(cublasStatus_t) {
  return "an error of a library that is not there";
}

cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  return cudaMalloc(memory, bytes);
}
cudaError_t cudaFreeHost(void* memory) {
  return cudaFree(memory);
}

}  // extern "C"
