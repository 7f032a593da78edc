// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Puts the pointwise half of a GRU step on a stream. Gates are in PyTorch's order (reset, update,
/// new; first those of the input, then those of the state): r = σ(i_r + h_r), z = σ(i_z + h_z), n =
/// tanh(i_n + r·h_n), h ← (1 − z)·n + z·h; r, z, n and h_n are kept. The gradient reads them and dh
/// from `state`, and writes the gradients of all six products to `gates` and dh·z to `state`. The
/// previous state, a fifth value that the footprint does not keep, is replaced by h_n, with the
/// same bytes and operations. Gates and states are convex combinations of sigmoids and hyperbolic
/// tangents, and all results are bounded.
void enqueue(const GruCell& launch, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves = Arithmetic::bf16);

}  // namespace mimus::kernels::cuda
