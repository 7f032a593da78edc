// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Puts a pooling or upsampling kernel on a stream. Windows are stride_height × stride_width and do
/// not overlap, so both images are crossed exactly once. `in` is what the kernel reads: of a
/// gradient, the one of the forward kernel's output. Max pooling keeps the winner's place in its
/// window's image (row · width + column), as PyTorch. Every result is a mean, a maximum or a copy
/// of bounded values, and bounded: it keeps their range.
void enqueue(const Pooling& launch, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves = Arithmetic::bf16);

}  // namespace mimus::kernels::cuda
