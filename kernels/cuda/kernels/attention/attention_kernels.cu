// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <string>

#include "base/error.hpp"
#include "kernels/cuda/kernels/attention/attention_kernels.hpp"
#include "kernels/cuda/kernels/attention/attention_launch_kernels.cuh"
#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

int compute_capability() {
  int device = 0;
  int major = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
             "cudaDeviceGetAttribute");
  return major;
}

void require_ampere(Arithmetic arithmetic) {
  if (compute_capability() >= 8) return;
  throw EnvironmentError(std::string{"fused attention in "} + name(arithmetic) +
                         " needs a device with compute capability 8.0 or higher; choose fp16 or "
                         "fp32, or attention: eager");
}

}  // namespace

void enqueue(const FusedAttention& shape, const RegionAddresses& regions, cudaStream_t stream) {
  if (shape.batch == 0 || shape.heads == 0 || shape.rows == 0) return;
  switch (shape.arithmetic) {
    case Arithmetic::fp32:
      return enqueue_attention<PlainCores>(shape, regions, stream);
    case Arithmetic::fp16:
      return enqueue_attention<TensorCores<__half>>(shape, regions, stream);
    case Arithmetic::tf32:
      require_ampere(shape.arithmetic);
      return enqueue_attention<Tf32Cores>(shape, regions, stream);
    case Arithmetic::bf16:
      require_ampere(shape.arithmetic);
      return enqueue_attention<TensorCores<__nv_bfloat16>>(shape, regions, stream);
  }
}

}  // namespace mimus::kernels::cuda
