// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Puts one crossing of tensors on a stream. Functions of one operand take the mean of several.
/// `add` averages, so that residual sums keep their range. Results are bounded (vector_access.cuh).
/// Dropout keeps nine of ten elements. Which ones depends on the place of `out`, so a step draws
/// the same ones again. `halves` is the type of elements of two bytes.
void enqueue(const Elementwise& launch, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves = Arithmetic::bf16);

}  // namespace mimus::kernels::cuda
