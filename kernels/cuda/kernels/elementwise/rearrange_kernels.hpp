// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Elements that stay together, as the features of a head, and the runs that change places: those
/// of kRearrangedRuns tokens by kRearrangedRuns heads.
inline constexpr std::int64_t kRunElements = 64;
inline constexpr std::int64_t kRearrangedRuns = 12;

/// Copies blocks of kRearrangedRuns × kRearrangedRuns runs transposed and what is left over as it
/// is. PyTorch copies tensors of different strides element by element, four to a thread, and
/// divides to find each: so does this.
template <class T>
void enqueue_rearrange(const Elementwise& launch, const RegionAddresses& regions,
                       cudaStream_t stream);

}  // namespace mimus::kernels::cuda
