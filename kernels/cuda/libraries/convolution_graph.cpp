// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/convolution_graph.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/libraries/convolution_decomposition.hpp"

namespace mimus::kernels::cuda {
namespace {

using Pass = Convolution::Pass;

/// cuDNN's names of the parts of a pass.
struct Names {
  cudnnBackendDescriptorType_t operation;
  cudnnBackendAttributeName_t geometry, x, w, y, alpha, beta;
};
constexpr Names kForward{CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
constexpr Names kInputGradient{CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                               CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                               CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                               CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                               CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                               CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                               CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
constexpr Names kWeightGradient{CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};

const Names& names(Pass pass) {
  if (pass == Pass::forward) return kForward;
  return pass == Pass::input_gradient ? kInputGradient : kWeightGradient;
}

cudnnDataType_t cudnn_type(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::fp16) return CUDNN_DATA_HALF;
  if (arithmetic == Arithmetic::bf16) return CUDNN_DATA_BFLOAT16;
  return CUDNN_DATA_FLOAT;
}

using Sides = std::array<std::int64_t, 2>;

/// A tensor of images, or of filters with the output channels first. In memory, channels are last.
CudnnDescriptor tensor(std::int64_t id, cudnnDataType_t type, std::int64_t first,
                       std::int64_t channels, Sides sides) {
  constexpr std::int64_t kAlignment = 16;  // bytes, of every tensor in a region
  const auto [height, width] = sides;
  CudnnDescriptor tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type);
  tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, kAlignment);
  tensor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::array{first, channels, height, width});
  tensor.set(CUDNN_ATTR_TENSOR_STRIDES,
             std::array{height * width * channels, std::int64_t{1}, width * channels, channels});
  tensor.finalize();
  return tensor;
}

void set_geometry(CudnnDescriptor& geometry, const Convolution& c) {
  constexpr std::int64_t kDimensions = 2;
  const Sides padding{(c.kernel_height - 1) / 2, (c.kernel_width - 1) / 2};
  geometry.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, kDimensions);
  geometry.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT);
  geometry.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
  geometry.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, padding);
  geometry.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, padding);
  geometry.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, Sides{1, 1});
  geometry.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, Sides{c.stride_height, c.stride_width});
  geometry.finalize();
}

}  // namespace

void refuse_convolution(const Convolution& c, const std::string& reason) {
  throw LibraryError(
      "the choice of an algorithm", CUDNN_STATUS_NOT_SUPPORTED,
      fmt::format("cuDNN has no algorithm for {} x {} x {} pixels, {} to {} channels, kernel {} x "
                  "{}, stride {} x {} in {}; kernels need an odd height and width{}{}",
                  c.batch, c.height, c.width, c.in, c.out, c.kernel_height, c.kernel_width,
                  c.stride_height, c.stride_width, name(c.arithmetic),
                  reason.empty() ? "" : "; it says: ", reason));
}

ConvolutionGraph::ConvolutionGraph(cudnnHandle_t handle, const Convolution& c)
    : input_(tensor(kConvolutionTensors[0], cudnn_type(c.arithmetic), c.batch, c.in,
                    {c.height * c.stride_height, c.width * c.stride_width})),
      filter_(tensor(kConvolutionTensors[1], cudnn_type(c.arithmetic), c.out, c.in,
                     {c.kernel_height, c.kernel_width})),
      output_(tensor(kConvolutionTensors[2], cudnn_type(c.arithmetic), c.batch, c.out,
                     {c.height, c.width})),
      operation_(names(c.pass).operation) {
  set_geometry(geometry_, c);
  const Names& part = names(c.pass);
  operation_.set(part.geometry, geometry_);
  operation_.set(part.x, input_);
  operation_.set(part.w, filter_);
  operation_.set(part.y, output_);
  operation_.set(part.alpha, convolution_scale(c));
  operation_.set(part.beta, 0.0F);
  try {
    operation_.finalize();  // checks whether the sizes fit
  } catch (const LibraryError& error) {
    refuse_convolution(c, error.what());
  }
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle);
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation_);
  graph_.finalize();
}

}  // namespace mimus::kernels::cuda
