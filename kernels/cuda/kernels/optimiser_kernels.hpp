// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/launch_commands.hpp"

namespace mimus::kernels::cuda {

/// The symbols η, β₁, β₂, ε and λ of the update formulas, and the loss scale or bias correction.
inline constexpr float kRate = 1e-3F;
inline constexpr float kBeta1 = 0.9F;
inline constexpr float kBeta2 = 0.999F;
inline constexpr float kEpsilon = 1e-8F;
inline constexpr float kDecay = 1e-4F;
inline constexpr float kDivisor = 1.0F;

/// Puts an optimiser's kernel over a list of tensors on a stream. Blocks take chunks from a table
/// that is a parameter of the kernel, as in PyTorch's multi_tensor_apply; a list of more chunks
/// takes several launches. Weights wrap around the range of their initial values, so a gradient
/// that always points the same way cannot move them out of it. Gradients enter moments with weight
/// 1 − β. Everything else is bounded (vector_access.cuh). `unscale` sets the first word of scratch
/// when a gradient is not finite. Two 16-bit weights are in that place; they have been used, and
/// the next step casts them again.
void enqueue(const MultiTensor& launch, const RegionAddresses& regions, cudaStream_t stream);

}  // namespace mimus::kernels::cuda
