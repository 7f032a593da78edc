// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Puts the copy of a run of gradients, in fp32, into its bucket or back on a stream. Buckets are
/// in Region::buckets at the gradients' own offsets. On the way in, gradients are divided by the
/// replicas, so the sum that comes back is a mean. In both directions they are bounded
/// (vector_access.cuh).
void enqueue(const BucketCopy& launch, const RegionAddresses& regions, cudaStream_t stream);

}  // namespace mimus::kernels::cuda
