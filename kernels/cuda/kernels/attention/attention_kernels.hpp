// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Puts scaled dot-product attention, or its gradient, on a stream as one kernel; heads of 64 or
/// 128 features. Tiles of queries meet tiles of keys with an online softmax (Dao et al.,
/// "FlashAttention", 2022), so scores stay on chip. Products run on tensor cores for fp16 and bf16
/// (fp16 alone before sm_80) and tf32, by plain arithmetic for fp32. It is written to be right and
/// of the same structure, not to reach the speed of the libraries' kernels for one architecture:
/// what share of it is reached is a measurement. Outputs are averages of values, gradients sums of
/// small differences, and all are bounded (vector_access.cuh).
/// EnvironmentError where the device lacks the instructions or the shared memory.
void enqueue(const FusedAttention& launch, const RegionAddresses& regions, cudaStream_t stream);

}  // namespace mimus::kernels::cuda
