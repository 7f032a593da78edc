// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/backend_module.hpp"
#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/cuda/shared_library.hpp"

namespace mimus::kernels {
namespace {

std::string module_path() {
  if (const char* given = std::getenv(kCudaModuleVariable); given != nullptr && *given != '\0') {
    return given;
  }
  std::error_code unreadable;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  return unreadable ? kCudaModuleFile : (program.parent_path() / kCudaModuleFile).string();
}

template <class Function>
Function function(const cuda::SharedLibrary& module, const char* name) {
  void* address = module.symbol(name);
  if (address == nullptr) {
    throw EnvironmentError(
        fmt::format("{} is not a Mimus CUDA module: it lacks {}; build anew", module.name(), name));
  }
  return reinterpret_cast<Function>(address);
}

/// Stays loaded until the process ends.
const CudaBackend* load(const std::string& path) {
  auto module = cuda::SharedLibrary::open_first({path});
  if (!module.is_open()) {
    throw EnvironmentError(fmt::format(
        "the CUDA module cannot be loaded ({}); the CUDA, cuDNN and NCCL libraries that it was "
        "built with must be found, for example through LD_LIBRARY_PATH",
        module.reason()));
  }
  const char* stamp = function<CudaModuleStamp>(module, kCudaModuleStampSymbol)();
  if (std::strcmp(stamp, MIMUS_CUDA_STAMP) != 0) {
    throw EnvironmentError(
        fmt::format("{} was built from Mimus {}, this program from {}; build both anew", path,
                    stamp, MIMUS_CUDA_STAMP));
  }
  const CudaBackend* backend = function<CudaModuleEntry>(module, kCudaModuleEntrySymbol)();
  static cuda::SharedLibrary loaded;
  loaded = std::move(module);
  return backend;
}

}  // namespace

bool has_cuda_backend() {
  std::error_code absent;
  return std::filesystem::exists(module_path(), absent);
}

const CudaBackend& cuda_backend() {
  if (!has_cuda_backend()) throw NotCompiledError("the cuda device", "MIMUS_WITH_CUDA");
  static const CudaBackend* const backend = load(module_path());
  return *backend;
}

}  // namespace mimus::kernels
