// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Puts a reduction along rows or columns on a stream: one kernel each. The headers of
/// the single kernels say what they compute, and why values keep their range.
void enqueue(const Reduction& launch, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves = Arithmetic::bf16);

}  // namespace mimus::kernels::cuda
