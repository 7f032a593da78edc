// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Max pooling and its gradient.
void enqueue_max_pooling(const Pooling& launch, const RegionAddresses& regions, cudaStream_t stream,
                         Arithmetic halves);

}  // namespace mimus::kernels::cuda
