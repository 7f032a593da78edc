// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// column_sum and column_sum_in_turn. Sums are divided by the rows, so gradients keep the range of
/// their summands.
void enqueue_column_sum(const Reduction& launch, const RegionAddresses& regions,
                        cudaStream_t stream, Arithmetic halves);

}  // namespace mimus::kernels::cuda
