// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Puts scaled dot-product attention, or its gradient, on a stream as one kernel, for heads of 64
/// or 128 features. Tiles of queries meet tiles of keys with an online softmax (Dao et al.,
/// "FlashAttention", 2022), so scores stay on chip. Products run on tensor cores for fp16 and bf16
/// (only fp16 before sm_80) and tf32, and in plain arithmetic for fp32. The kernel is correct and
/// has the same structure as the libraries' kernels, but is not tuned to their speed; the share
/// that it reaches has to be measured. Outputs are averages of values, gradients sums of small
/// differences, and all are bounded (vector_access.cuh). Throws EnvironmentError if the device
/// lacks the instructions or the shared memory.
void enqueue(const FusedAttention& launch, const RegionAddresses& regions, cudaStream_t stream);

}  // namespace mimus::kernels::cuda
