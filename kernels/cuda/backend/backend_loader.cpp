// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/program_module.hpp"
#include "kernels/cuda/backend/backend_module.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"

namespace mimus::kernels {
namespace {

const ModuleFacts& cuda_module() {
  static const ModuleFacts facts{.title = "CUDA module",
                                 .file = kCudaModuleFile,
                                 .variable = kCudaModuleVariable,
                                 .advice =
                                     "make the CUDA, cuDNN and NCCL libraries that it was built "
                                     "with visible, for example through LD_LIBRARY_PATH",
                                 .stamp_symbol = kCudaModuleStampSymbol};
  return facts;
}

}  // namespace

bool has_cuda_backend() {
  return ProgramModule::exists(cuda_module());
}

const CudaBackend& cuda_backend() {
  if (!has_cuda_backend()) throw NotCompiledError("the cuda device", "MIMUS_WITH_CUDA");
  static const ProgramModule module(cuda_module());  // stays loaded until the process ends
  static const CudaBackend* const backend =
      module.function<CudaModuleEntry>(kCudaModuleEntrySymbol)();
  return *backend;
}

}  // namespace mimus::kernels
