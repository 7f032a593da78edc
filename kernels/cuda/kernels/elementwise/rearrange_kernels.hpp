// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Elements that stay together, such as the features of a head, and the runs that change places:
/// those of kRearrangedRuns tokens by kRearrangedRuns heads.
inline constexpr std::int64_t kRunElements = 64;
inline constexpr std::int64_t kRearrangedRuns = 12;

/// Copies blocks of kRearrangedRuns × kRearrangedRuns runs transposed, and the rest unchanged. Like
/// PyTorch's copy of tensors of different strides, it works element by element, four per thread,
/// and divides to find each of them.
template <class T>
void enqueue_rearrange(const Elementwise& launch, const RegionAddresses& regions,
                       cudaStream_t stream);

}  // namespace mimus::kernels::cuda
