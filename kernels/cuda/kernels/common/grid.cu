// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/cuda/kernels/common/grid.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr std::size_t kDevices = 64;         ///< devices whose attributes are kept
constexpr int kBlocksPerMultiprocessor = 8;  ///< of 256 threads: as many as a multiprocessor holds
constexpr std::size_t kPlainSharedBytes = 48 * 1024;  ///< available to every kernel by default

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

int current_device() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

/// An attribute of the current device. Two threads that ask at the same time both ask the driver.
int cached_attribute(std::array<std::atomic<int>, kDevices>& cache, cudaDeviceAttr which) {
  const int device = current_device();
  const auto index = static_cast<std::size_t>(device);
  if (index >= kDevices) return attribute(which, device);
  int value = cache[index].load(std::memory_order_relaxed);
  if (value == 0) {
    value = attribute(which, device);
    cache[index].store(value, std::memory_order_relaxed);
  }
  return value;
}

}  // namespace

int multiprocessors() {
  static std::array<std::atomic<int>, kDevices> cache{};
  return cached_attribute(cache, cudaDevAttrMultiProcessorCount);
}

unsigned streaming_blocks(std::int64_t threads, int block_threads) {
  const std::int64_t per_multiprocessor =
      std::max(1, kBlocksPerMultiprocessor * kBlockThreads / block_threads);
  const std::int64_t needed = (threads + block_threads - 1) / block_threads;
  const std::int64_t full = per_multiprocessor * multiprocessors();
  return static_cast<unsigned>(std::clamp<std::int64_t>(needed, 1, full));
}

unsigned resident_blocks(const void* kernel, int block_threads, std::size_t shared_bytes) {
  int per_multiprocessor = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel,
                                                           block_threads, shared_bytes),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  // A cooperative grid begins when all of its blocks fit at once. A collective occupies some
  // multiprocessors for as long as it waits for peers. If a multiprocessor holds only one block,
  // some multiprocessors are therefore left free.
  if (per_multiprocessor > 1) {
    return static_cast<unsigned>(per_multiprocessor / 2 * multiprocessors());
  }
  return static_cast<unsigned>(std::max(1, multiprocessors() * 3 / 4));
}

bool allow_shared_memory(const void* kernel, std::size_t bytes) {
  cudaFuncAttributes fixed{};
  check_cuda(cudaFuncGetAttributes(&fixed, kernel), "cudaFuncGetAttributes");
  const std::size_t all = bytes + fixed.sharedSizeBytes;
  if (all <= kPlainSharedBytes) return true;
  static std::array<std::atomic<int>, kDevices> cache{};
  const int most = cached_attribute(cache, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (all > static_cast<std::size_t>(most)) return false;
  // The maximum, because another thread may be about to launch the same kernel with more.
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  most - static_cast<int>(fixed.sharedSizeBytes)),
             "cudaFuncSetAttribute");
  return true;
}

}  // namespace mimus::kernels::cuda
