// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// The parameter gradient of layer norm. Sums are divided by the rows, so gradients keep the range
/// of their summands.
void enqueue_parameter_gradient(const Reduction& launch, const RegionAddresses& regions,
                                cudaStream_t stream, Arithmetic halves);

}  // namespace mimus::kernels::cuda
