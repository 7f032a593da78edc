// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::kernels {

class CudaBackend;

/// File name of the module, beside the program. MIMUS_CUDA_MODULE in the environment names another
/// place.
inline constexpr const char* kCudaModuleFile = "libmimus_cuda.so";
inline constexpr const char* kCudaModuleVariable = "MIMUS_CUDA_MODULE";

/// The module exports the stamp of its build (see ProgramModule) and the backend, which lives as
/// long as the process.
using CudaModuleEntry = const CudaBackend* (*)();
inline constexpr const char* kCudaModuleStampSymbol = "mimus_cuda_stamp";
inline constexpr const char* kCudaModuleEntrySymbol = "mimus_cuda_backend";

}  // namespace mimus::kernels
