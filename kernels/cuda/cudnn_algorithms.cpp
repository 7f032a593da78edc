// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cudnn_algorithms.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"

// cuDNN 9 marks that interface deprecated and keeps it.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace mimus::kernels::cuda {
namespace {

using Pass = Convolution::Pass;

/// More than this no algorithm is given unmeasured; PyTorch's default heuristics stay below it for
/// the shapes of the built-in models.
constexpr std::size_t kMostWorkspace = std::size_t{1} << 30U;
constexpr int kMeasuredRuns = 3;

[[noreturn]] void refuse(const Convolution& c, const char* call) {
  throw LibraryError(
      call, CUDNN_STATUS_NOT_SUPPORTED,
      fmt::format("cuDNN has no algorithm for {} x {} x {} pixels, {} to {} channels, kernel {} x "
                  "{}, stride {} x {} in {}; kernels need an odd height and width",
                  c.batch, c.height, c.width, c.in, c.out, c.kernel_height, c.kernel_width,
                  c.stride_height, c.stride_width, name(c.arithmetic)));
}

/// Several algorithms come once with tensor cores and once without.
template <class Candidate, class Query>
std::vector<ConvolutionAlgorithm> candidates(const Convolution& c, int most, const char* call,
                                             Query&& query) {
  std::vector<Candidate> all(static_cast<std::size_t>(most));
  int found = 0;
  check_cudnn(query(most, &found, all.data()), call);
  all.resize(static_cast<std::size_t>(std::min(found, most)));
  const bool fp32 = c.arithmetic == Arithmetic::fp32;
  std::vector<ConvolutionAlgorithm> usable;
  for (const Candidate& one : all) {
    const bool exact = one.mathType == CUDNN_FMA_MATH || one.mathType == CUDNN_DEFAULT_MATH;
    if (one.status != CUDNN_STATUS_SUCCESS || (fp32 && !exact)) continue;
    // Default math would let fp32 data be rounded to TF32.
    usable.push_back(
        {static_cast<int>(one.algo), fp32 ? CUDNN_FMA_MATH : one.mathType, one.memory});
  }
  if (usable.empty()) refuse(c, call);
  return usable;
}

/// Nothing where it cannot be run.
std::optional<Duration> time_of(const ConvolutionAlgorithm& algorithm, cudaStream_t stream,
                                const std::function<void(const ConvolutionAlgorithm&)>& run) {
  const Event begin(Event::Timing::on);
  const Event end(Event::Timing::on);
  try {
    run(algorithm);  // what is loaded the first time
    begin.record(stream);
    for (int i = 0; i < kMeasuredRuns; ++i) run(algorithm);
  } catch (const LibraryError&) {
    return {};
  } catch (const OutOfMemoryError&) {
    return {};
  }
  end.record(stream);
  end.synchronize();
  return elapsed(begin, end);
}

}  // namespace

std::vector<ConvolutionAlgorithm> convolution_algorithms(cudnnHandle_t handle, const Convolution& c,
                                                         const ConvolutionDescriptors& d) {
  const cudnnTensorDescriptor_t x = d.input.get();
  const cudnnTensorDescriptor_t y = d.output.get();
  switch (c.pass) {
    case Pass::forward:
      return candidates<cudnnConvolutionFwdAlgoPerf_t>(
          c, 2 * CUDNN_CONVOLUTION_FWD_ALGO_COUNT, "cudnnGetConvolutionForwardAlgorithm_v7",
          [&](int most, int* found, auto* out) {
            return cudnnGetConvolutionForwardAlgorithm_v7(handle, x, d.filter.get(),
                                                          d.convolution.get(), y, most, found, out);
          });
    case Pass::input_gradient:
      return candidates<cudnnConvolutionBwdDataAlgoPerf_t>(
          c, 2 * CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT,
          "cudnnGetConvolutionBackwardDataAlgorithm_v7", [&](int most, int* found, auto* out) {
            return cudnnGetConvolutionBackwardDataAlgorithm_v7(
                handle, d.filter.get(), y, d.convolution.get(), x, most, found, out);
          });
    default:
      return candidates<cudnnConvolutionBwdFilterAlgoPerf_t>(
          c, 2 * CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT,
          "cudnnGetConvolutionBackwardFilterAlgorithm_v7", [&](int most, int* found, auto* out) {
            return cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, x, y, d.convolution.get(),
                                                                 d.filter.get(), most, found, out);
          });
  }
}

const ConvolutionAlgorithm& expected_fastest(const std::vector<ConvolutionAlgorithm>& algorithms,
                                             const Convolution& convolution) {
  const auto first =
      std::find_if(algorithms.begin(), algorithms.end(),
                   [](const ConvolutionAlgorithm& one) { return one.workspace <= kMostWorkspace; });
  if (first == algorithms.end()) refuse(convolution, "the choice of an algorithm");
  return *first;
}

const ConvolutionAlgorithm& measured_fastest(
    const std::vector<ConvolutionAlgorithm>& algorithms, const Convolution& convolution,
    cudaStream_t stream, const std::function<void(const ConvolutionAlgorithm&)>& run) {
  const ConvolutionAlgorithm* fastest = nullptr;
  auto least = Duration::max();
  for (const ConvolutionAlgorithm& one : algorithms) {
    const std::optional<Duration> time = time_of(one, stream, run);
    if (!time || *time >= least) continue;
    least = *time;
    fastest = &one;
  }
  if (fastest == nullptr) refuse(convolution, "measuring algorithms");
  return *fastest;
}

}  // namespace mimus::kernels::cuda
