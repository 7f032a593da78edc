// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// The four kernels of batch norm with the channel innermost: batch_statistics, batch_norm,
/// batch_gradient_sums, batch_norm_gradient. `statistics` contains the columns' means, then their
/// mean squares, then the means of dy and of dy·x̂. Sums are divided by the rows, so that gradients
/// keep their range.
///
/// They divide their work like PyTorch's kernels for this layout: a thread has one column, reads
/// four rows ahead element by element, and computes moments by Welford's updates, with a division
/// per row. So they are as far from the bandwidth of the device as PyTorch's. Batch norm is up to
/// half of the time of a convolutional network.
void enqueue_batch_norm(const Reduction& launch, const RegionAddresses& regions,
                        cudaStream_t stream, Arithmetic halves);

}  // namespace mimus::kernels::cuda
