// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Of the CUDA runtime: kernels. What nvcc generates registers them by name and launches them
// through the functions with two underscores.
#include <algorithm>
#include <cuda_runtime_api.h>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

struct CUkern_st {
  std::string name;
  std::size_t dynamic_shared = kSharedPlain;  ///< that a launch may ask for
};

namespace {

/// By the address of the function that stands for it on the host. Filled while the module is
/// loaded.
std::map<const void*, CUkern_st>& kernels() {
  static auto& all = *new std::map<const void*, CUkern_st>;
  return all;
}

CUkern_st* kernel_of(const void* function) {
  const auto found = kernels().find(function);
  return found == kernels().end() ? nullptr : &found->second;
}

struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

std::vector<Configuration>& pushed() {
  thread_local std::vector<Configuration> all;
  return all;
}

int resident_blocks(unsigned threads, std::size_t shared) {
  constexpr std::size_t kOwn = 1024;  // that the system takes of each block
  const auto by_threads = kThreadsPerMultiprocessor / static_cast<int>((threads + 31) / 32 * 32);
  const auto by_shared = static_cast<int>(kSharedPerMultiprocessor / (shared + kOwn));
  return std::min({by_threads, by_shared, kBlocksPerMultiprocessor});
}

cudaError_t launch(const char* name, CUkern_st* kernel, dim3 grid, dim3 block, std::size_t shared,
                   bool cooperative, cudaStream_t stream) {
  Call call(name);
  if (kernel == nullptr) return call.refuse(cudaErrorInvalidDeviceFunction, "an unknown kernel");
  constexpr unsigned kMostRows = 65535;
  const std::size_t threads = std::size_t{block.x} * block.y * block.z;
  const bool grid_fits = grid.x >= 1 && grid.x <= unsigned{kMostBlocks} && grid.y >= 1 &&
                         grid.y <= kMostRows && grid.z >= 1 && grid.z <= kMostRows;
  if (!grid_fits || threads < 1 || threads > kThreadsPerBlock || block.z > 64) {
    return call.refuse(cudaErrorInvalidConfiguration,
                       fmt::format("{} with a grid of {} x {} x {} blocks of {} threads",
                                   kernel->name, grid.x, grid.y, grid.z, threads));
  }
  if (shared > kernel->dynamic_shared) {
    return call.refuse(cudaErrorInvalidValue,
                       fmt::format("{} with {} bytes of shared memory of {}", kernel->name, shared,
                                   kernel->dynamic_shared));
  }
  const auto blocks = std::size_t{grid.x} * grid.y * grid.z;
  const auto resident = resident_blocks(static_cast<unsigned>(threads), shared) * kMultiprocessors;
  if (cooperative && blocks > static_cast<std::size_t>(resident)) {
    return call.fail(cudaErrorCooperativeLaunchTooLarge);
  }
  count("kernel " + kernel->name);
  return call.enqueue(stream, {.what = "kernel", .duration = settings().kernel_time});
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* /*binary*/);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
char __cudaInitModule(void** handle);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function,
                            const char* name, int thread_limit, uint3* tid, uint3* bid, dim3* block,
                            dim3* grid, int* size);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
void __cudaRegisterVar(void** handle, char* host_variable, char* device_address, const char* name,
                       int external, size_t bytes, int constant, int global);

void** __cudaRegisterFatBinary(void* /*binary*/) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
void __cudaUnregisterFatBinary(void** /*handle*/) {}
char __cudaInitModule(void** /*handle*/) {
  return 1;
}
void __cudaRegisterFunction(void** /*handle*/, const char* host_function, char* /*device_function*/,
                            const char* name, int /*thread_limit*/, uint3* /*tid*/, uint3* /*bid*/,
                            dim3* /*block*/, dim3* /*grid*/, int* /*size*/) {
  kernels()[host_function].name = name;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  *kernel = kernel_of(host_function);
  return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** /*arguments*/,
                               size_t shared, cudaStream_t stream) {
  return launch("kernel<<<>>>", kernel, grid, block, shared, false, stream);
}
/// Of a launch with angle brackets; such are CUB's.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  pushed().push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (pushed().empty()) return cudaErrorMissingConfiguration;
  const Configuration last = pushed().back();
  pushed().pop_back();
  *grid = last.grid, *block = last.block, *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** /*arguments*/,
                             size_t shared, cudaStream_t stream) {
  return launch(__func__, kernel_of(function), grid, block, shared, false, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** /*arguments*/) {
  return launch(__func__, kernel_of(function), config->gridDim, config->blockDim,
                config->dynamicSmemBytes, false, config->stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** /*arguments*/, size_t shared, cudaStream_t stream) {
  return launch(__func__, kernel_of(function), grid, block, shared, true, stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const Call call(__func__);
  const CUkern_st* const kernel = kernel_of(function);
  if (kernel == nullptr) return call.refuse(cudaErrorInvalidDeviceFunction, "an unknown kernel");
  *attributes = cudaFuncAttributes{};
  attributes->maxThreadsPerBlock = kThreadsPerBlock;
  attributes->ptxVersion = 10 * kComputeMajor;
  attributes->binaryVersion = 10 * kComputeMajor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel->dynamic_shared);
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  const Call call(__func__);
  CUkern_st* const kernel = kernel_of(function);
  if (kernel == nullptr) return call.refuse(cudaErrorInvalidDeviceFunction, "an unknown kernel");
  const bool fits = value >= 0 && static_cast<std::size_t>(value) <= kSharedMost;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || !fits) {
    return call.refuse(cudaErrorInvalidValue, fmt::format("{} to {}", kernel->name, value));
  }
  kernel->dynamic_shared = static_cast<std::size_t>(value);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t shared) {
  const Call call(__func__);
  if (kernel_of(function) == nullptr || threads < 1 || threads > kThreadsPerBlock) {
    return call.refuse(cudaErrorInvalidValue, "an unknown kernel, or its threads");
  }
  *blocks = resident_blocks(static_cast<unsigned>(threads), shared);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t shared,
                                                                   unsigned /*flags*/) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}

}  // extern "C"
