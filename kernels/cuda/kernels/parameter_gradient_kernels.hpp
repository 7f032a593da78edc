// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/region_addresses.hpp"
#include "kernels/launch.hpp"

namespace mimus::kernels::cuda {

/// parameter_gradient and the column sums. Sums are divided by the rows, so gradients keep the
/// range of what they add up.
void enqueue_column_reduction(const Reduction& launch, const RegionAddresses& regions,
                              cudaStream_t stream, Arithmetic halves);

}  // namespace mimus::kernels::cuda
