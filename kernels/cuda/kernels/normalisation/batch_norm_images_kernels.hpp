// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// Batch norm of images whose channels come first: batch_statistics, batch_norm, and one
/// batch_norm_gradient that computes its sums itself. Statistics are those of enqueue_batch_norm().
///
/// Like PyTorch's kernels for that layout (Normalization.cuh), a block that sums has one channel of
/// all images. 32 channels therefore keep 32 multiprocessors busy however large the batch is.
void enqueue_image_batch_norm(const Reduction& launch, const RegionAddresses& regions,
                              cudaStream_t stream, Arithmetic halves);

}  // namespace mimus::kernels::cuda
