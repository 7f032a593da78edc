// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Fills `elements` numbers of the type that `element` has in memory with uniform values from [0.1,
/// 1). They are never zero, because processors take less power and run faster on zeros. The same
/// seed gives the same bytes on every device.
void random_fill(std::byte* data, std::int64_t elements, Arithmetic element, std::uint64_t seed,
                 cudaStream_t stream);

/// Fills with indices uniform in [0, bound), bound from 1 to 2³².
void random_fill_indices(std::int64_t* data, std::int64_t elements, std::int64_t bound,
                         std::uint64_t seed, cudaStream_t stream);

}  // namespace mimus::kernels::cuda
