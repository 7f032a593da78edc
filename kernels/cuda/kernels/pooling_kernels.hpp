// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Puts a pooling or upsampling kernel on a stream. Windows are stride_height × stride_width and do
/// not overlap, so both images are crossed exactly once. `in` is the tensor that the kernel reads;
/// for a gradient, that of the forward kernel's output. Like PyTorch, max pooling keeps the
/// winner's place in its window's image (row · width + column). Every result is a mean, a maximum
/// or a copy of bounded values, and is bounded, so it keeps their range.
void enqueue(const Pooling& launch, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves = Arithmetic::bf16);

}  // namespace mimus::kernels::cuda
