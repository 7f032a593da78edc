// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "kernels/cuda/cuda_handles.hpp"
#include "kernels/cuda/cudnn_descriptors.hpp"

namespace mimus::kernels::cuda {

/// One way of cuDNN to compute a pass of a convolution.
struct ConvolutionAlgorithm {
  int number = 0;  ///< of the enumeration that belongs to the pass
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  std::size_t workspace = 0;
};

/// Those that can be used, in the order of the time that cuDNN's heuristics expect. LibraryError if
/// there is none.
[[nodiscard]] std::vector<ConvolutionAlgorithm> convolution_algorithms(
    cudnnHandle_t handle, const Convolution& convolution,
    const ConvolutionDescriptors& descriptors);

/// The first of `algorithms` that needs no more work space than frameworks give it unmeasured.
/// LibraryError if there is none.
[[nodiscard]] const ConvolutionAlgorithm& expected_fastest(
    const std::vector<ConvolutionAlgorithm>& algorithms, const Convolution& convolution);

/// The one that takes the least time on the device, as torch.backends.cudnn.benchmark chooses it.
/// `run` puts an algorithm on the stream; those for which it throws, because cuDNN cannot after all
/// or the work space does not fit, are passed over. LibraryError if all are.
[[nodiscard]] const ConvolutionAlgorithm& measured_fastest(
    const std::vector<ConvolutionAlgorithm>& algorithms, const Convolution& convolution,
    cudaStream_t stream, const std::function<void(const ConvolutionAlgorithm&)>& run);

}  // namespace mimus::kernels::cuda
