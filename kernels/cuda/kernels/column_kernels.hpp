// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/region_addresses.hpp"
#include "kernels/launch.hpp"

namespace mimus::kernels::cuda {

/// Batch norm writes kCentre + kSpread · x̂ for the normalised x̂ of layer and batch norm alike, as
/// if these were the learned scale and shift: a column that varies comes out with this mean and
/// deviation, whatever its own were.
inline constexpr float kCentre = 0.5F;
inline constexpr float kSpread = 0.25F;
inline constexpr float kVarianceFloor = 1e-5F;

/// Reductions along columns: batch_norm, batch_norm_gradient, parameter_gradient and column_sum, of
/// which the first two keep a column's mean in `statistics`, then, behind those of all columns, its
/// mean square. Sums are divided by the rows, so gradients keep the range of what they add up.
void enqueue_column_reduction(const Reduction& launch, const RegionAddresses& regions,
                              cudaStream_t stream, Arithmetic halves);

}  // namespace mimus::kernels::cuda
