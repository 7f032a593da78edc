// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/launch/launch.hpp"
#include "kernels/launch/launch_options.hpp"

namespace mimus::kernels {

/// The limits of one launch of a multi-tensor kernel.
struct TensorListLimits {
  std::size_t tensors = 0;
  std::int64_t chunks = 0;  ///< of 65,536 elements
};

/// PyTorch's limits for kernels over `depth` lists of tensors, which follow from the size of kernel
/// arguments. `scalars` is for kernels that also take a number per tensor
/// (aten/src/ATen/native/cuda/MultiTensorApply.cuh).
[[nodiscard]] TensorListLimits tensor_list_limits(int depth, bool scalars,
                                                  KernelArguments arguments);

/// The launches over `tensors`. A launch ends when its list of tensors or of chunks is full, which
/// may be within a tensor.
[[nodiscard]] std::vector<std::vector<TensorSpan>> split_tensor_lists(
    const std::vector<TensorSpan>& tensors, const TensorListLimits& limits);

}  // namespace mimus::kernels
