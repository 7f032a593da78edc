// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

struct PlainCores;
struct Tf32Cores;
template <class T>
struct TensorCores;

/// The launch for one arithmetic; each is compiled in its own file.
template <class Cores>
void enqueue_attention(const FusedAttention& launch, const RegionAddresses& regions,
                       cudaStream_t stream);

}  // namespace mimus::kernels::cuda
