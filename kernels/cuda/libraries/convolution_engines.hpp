// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/cuda/libraries/convolution_graph.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"

namespace mimus::kernels::cuda {

/// One algorithm of cuDNN for a pass of a convolution.
struct ConvolutionAlgorithm {
  CudnnDescriptor configuration;  ///< of an engine; the plan refers to it
  CudnnDescriptor plan;
  std::int64_t workspace = 0;  ///< bytes
};

using RunAlgorithm = std::function<void(const ConvolutionAlgorithm&)>;

// Algorithms are found as PyTorch finds them (aten/src/ATen/native/cudnn/Conv_v8.cpp): first those
// that cuDNN's heuristics name, in their order, then those that always work; in fp32 none that
// rounds its operands. Throws LibraryError if none can be used.

/// The first usable one.
[[nodiscard]] ConvolutionAlgorithm expected_fastest(cudnnHandle_t handle,
                                                    const ConvolutionGraph& graph,
                                                    const Convolution& convolution);

/// The one of the first ten that is fastest on the device, as torch.backends.cudnn.benchmark
/// chooses it. `run` puts an algorithm on the stream. Algorithms for which it throws, because cuDNN
/// cannot run them or the work space does not fit, are skipped.
[[nodiscard]] ConvolutionAlgorithm measured_fastest(cudnnHandle_t handle,
                                                    const ConvolutionGraph& graph,
                                                    const Convolution& convolution,
                                                    cudaStream_t stream, const RunAlgorithm& run);

}  // namespace mimus::kernels::cuda
