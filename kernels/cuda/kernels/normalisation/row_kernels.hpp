// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Layer norm: kCentre + kSpread · x̂ (normalisation_constants.hpp). `statistics` keeps the means
/// of all rows and then the reciprocals of their deviations, which the gradient uses.
void enqueue_layer_norm(const Reduction& launch, const RegionAddresses& regions,
                        cudaStream_t stream, Arithmetic halves);

/// Softmax times half the number of columns, so that its elements keep their range whatever the
/// length of a row; its gradient, scaled likewise; and the cross entropy of a row whose label is
/// its first column, which is positive.
void enqueue_softmax(const Reduction& launch, const RegionAddresses& regions, cudaStream_t stream,
                     Arithmetic halves);

}  // namespace mimus::kernels::cuda
