// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// A copy whose operand has another width than the result (a cast), or an addition in fp32 whose
/// first operand has 16 bits, as in a residual sum.
void enqueue_mixed_widths(const Elementwise& launch, const RegionAddresses& regions,
                          cudaStream_t stream, Arithmetic halves);

}  // namespace mimus::kernels::cuda
