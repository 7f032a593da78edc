// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mimus::kernels::cuda {

/// The work of a kernel, coarse enough to compare Mimus's kernels with a framework's.
enum class KernelClass {
  gemm,           ///< matrix products, with attention fused into one kernel
  convolution,    ///< and the launches of cuDNN around it
  normalisation,  ///< batch, layer, group, RMS
  elementwise,    ///< activations, dropout, sums and casts of tensors
  reduction,      ///< sums, losses, softmax, pooling
  embedding,      ///< look-ups in tables and their gradients
  optimiser,
  copy,  ///< memcpy, concatenation, change of layout
  memset,
  collective,
  other,
};
inline constexpr int kKernelClasses = 11;

[[nodiscard]] const char* name(KernelClass kind);

/// The class of a kernel by its name, mangled or not. Mimus's own kernels state it
/// (`mimus_<class>_...`, or `mimus::kernels::cuda::<class>_...`). Others are recognised by the
/// naming of PyTorch, Triton, cuBLAS, cuDNN, CUTLASS and NCCL. A name that fits nothing is `other`,
/// never guessed.
[[nodiscard]] KernelClass classify_kernel(std::string_view kernel_name);

}  // namespace mimus::kernels::cuda
