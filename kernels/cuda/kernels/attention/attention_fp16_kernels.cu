// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/attention/attention_host_kernels.cuh"

namespace mimus::kernels::cuda {

template void enqueue_attention<TensorCores<__half>>(const FusedAttention&, const RegionAddresses&,
                                                     cudaStream_t);

}  // namespace mimus::kernels::cuda
