// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// The factor of scatter_add's values. A sum of floating-point numbers stops changing when it is
/// 2^p times the summand (p bits of significand). So a table to which bounded values, at most 4 ·
/// 2^-10 each, are added without end stays finite: below 2^17 in fp32 if they are added one by one,
/// and as many times that as rows name one place if those are summed first.
inline constexpr float kScatterScale = 0x1p-10F;

/// Puts a gather of table rows, or an addition to them, on a stream. It has the shape of PyTorch's
/// kernels and is therefore far from the bandwidth of a device.
void enqueue(const Embedding& launch, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves = Arithmetic::bf16);

}  // namespace mimus::kernels::cuda
