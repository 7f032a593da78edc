// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Adds rows to a table. Structure and launches are those of PyTorch 2.11's gradient of an
/// embedding (aten/src/ATen/native/cuda: Embedding.cu, EmbeddingBackwardKernel.cu), to reproduce
/// the many small kernels of models with lookups.
void enqueue_addition(const Embedding& launch, const RegionAddresses& regions, cudaStream_t stream,
                      Arithmetic halves);

}  // namespace mimus::kernels::cuda
