// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cudnn_descriptors.hpp"

namespace mimus::kernels::cuda {
namespace {

cudnnDataType_t cudnn_type(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::fp16) return CUDNN_DATA_HALF;
  if (arithmetic == Arithmetic::bf16) return CUDNN_DATA_BFLOAT16;
  return CUDNN_DATA_FLOAT;
}

/// PyTorch's choices: default math rounds fp32 operands to TF32 where the device has it, FMA math
/// does not.
cudnnMathType_t math_type(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::fp32) return CUDNN_FMA_MATH;
  if (arithmetic == Arithmetic::tf32) return CUDNN_DEFAULT_MATH;
  return CUDNN_TENSOR_OP_MATH;
}

}  // namespace

ConvolutionDescriptors::ConvolutionDescriptors(const Convolution& c) {
  const auto whole = [](std::int64_t value) { return static_cast<int>(value); };
  const cudnnDataType_t type = cudnn_type(c.arithmetic);
  check_cudnn(cudnnSetTensor4dDescriptor(input.get(), CUDNN_TENSOR_NHWC, type, whole(c.batch),
                                         whole(c.in), whole(c.height * c.stride_height),
                                         whole(c.width * c.stride_width)),
              "cudnnSetTensor4dDescriptor");
  check_cudnn(cudnnSetTensor4dDescriptor(output.get(), CUDNN_TENSOR_NHWC, type, whole(c.batch),
                                         whole(c.out), whole(c.height), whole(c.width)),
              "cudnnSetTensor4dDescriptor");
  check_cudnn(
      cudnnSetFilter4dDescriptor(filter.get(), type, CUDNN_TENSOR_NHWC, whole(c.out), whole(c.in),
                                 whole(c.kernel_height), whole(c.kernel_width)),
      "cudnnSetFilter4dDescriptor");
  check_cudnn(cudnnSetConvolution2dDescriptor(convolution.get(), whole((c.kernel_height - 1) / 2),
                                              whole((c.kernel_width - 1) / 2),
                                              whole(c.stride_height), whole(c.stride_width), 1, 1,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
              "cudnnSetConvolution2dDescriptor");
  check_cudnn(cudnnSetConvolutionMathType(convolution.get(), math_type(c.arithmetic)),
              "cudnnSetConvolutionMathType");
}

}  // namespace mimus::kernels::cuda
