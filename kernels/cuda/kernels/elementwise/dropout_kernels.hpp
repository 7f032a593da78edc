// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

inline constexpr float kDropped = 0.1F;  ///< share of elements
inline constexpr std::uint64_t kDropoutSeed = 0x4D696D7573ULL;

/// y = x ÷ (1 − kDropped) where 32 bits of Philox, one word per element counted from the first of
/// the tensor, are at least kDropped · 2³². A byte per element records where. The counter begins at
/// out.offset. A dropped element becomes the smallest allowed number, not zero.
template <class T>
void enqueue_dropout(const Elementwise& launch, const RegionAddresses& regions,
                     cudaStream_t stream);
/// dx = dy ÷ (1 − kDropped) where the mask says so.
template <class T>
void enqueue_dropout_gradient(const Elementwise& launch, const RegionAddresses& regions,
                              cudaStream_t stream);

}  // namespace mimus::kernels::cuda
