// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "kernels/cuda/libraries/cudnn_descriptors.hpp"
#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// The ids of the addresses of input, filter and output.
inline constexpr std::array<std::int64_t, 3> kConvolutionTensors{'x', 'w', 'y'};

/// Throws the LibraryError of a convolution that cuDNN cannot compute. `reason` is cuDNN's own, or
/// empty.
[[noreturn]] void refuse_convolution(const Convolution& convolution, const std::string& reason);

/// cuDNN's description of one pass of a convolution: "same" padding, channels innermost, sums in
/// fp32, the result times convolution_scale(). Throws LibraryError if cuDNN does not support the
/// convolution.
class ConvolutionGraph {
 public:
  ConvolutionGraph(cudnnHandle_t handle, const Convolution& convolution);
  [[nodiscard]] const CudnnDescriptor& get() const { return graph_; }

 private:
  CudnnDescriptor input_;
  CudnnDescriptor filter_;
  CudnnDescriptor output_;
  CudnnDescriptor geometry_{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR};
  CudnnDescriptor operation_;
  CudnnDescriptor graph_{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR};
};

}  // namespace mimus::kernels::cuda
