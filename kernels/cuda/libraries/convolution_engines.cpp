// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/convolution_engines.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace mimus::kernels::cuda {
namespace {

/// The largest workspace of an algorithm that was not measured: a larger one might not pay off.
constexpr std::int64_t kMostUnmeasured = std::int64_t{1} << 30U;  // bytes
constexpr int kMostMeasured = 10;  ///< torch.backends.cudnn.benchmark_limit
constexpr int kMeasuredRuns = 3;
/// An algorithm whose first run takes this many times the best is not run again. Some take a
/// hundred times as long.
constexpr double kHopeless = 1.5;

/// The configurations of engines that one of cuDNN's sources lists.
std::vector<CudnnDescriptor> configurations(const ConvolutionGraph& graph,
                                            cudnnBackendHeurMode_t source) {
  CudnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.get());
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, source);
  heuristics.finalize();
  const auto results = [&](std::int64_t most, void* into) {
    return heuristics.read(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, most,
                           into);
  };
  std::vector<CudnnDescriptor> found;
  std::vector<cudnnBackendDescriptor_t> raw;
  for (std::int64_t i = results(0, nullptr); i > 0; --i) {
    found.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    raw.push_back(found.back().get());
  }
  const std::int64_t filled = results(static_cast<std::int64_t>(raw.size()), raw.data());
  while (static_cast<std::int64_t>(found.size()) > filled) found.pop_back();
  return found;
}

/// Whether an engine computes with fewer bits than its operands have.
bool rounds_operands(const CudnnDescriptor& configuration) {
  const CudnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  cudnnBackendDescriptor_t raw = engine.get();
  configuration.read(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &raw);
  std::array<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> notes{};
  const std::int64_t count = engine.read(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                         CUDNN_TYPE_NUMERICAL_NOTE, notes.size(), notes.data());
  return std::any_of(notes.begin(), notes.begin() + count, [](cudnnBackendNumericalNote_t note) {
    return note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE ||
           note == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS;
  });
}

/// Throws if the engine turns out not to support this convolution.
ConvolutionAlgorithm algorithm_of(cudnnHandle_t handle, CudnnDescriptor configuration) {
  CudnnDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, handle);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
  plan.finalize();
  std::int64_t workspace = 0;
  plan.read(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &workspace);
  return {std::move(configuration), std::move(plan), workspace};
}

/// Passes one algorithm after another to `take` until it returns true. An algorithm for which
/// `take` throws is skipped. Returns the message of the last failure.
template <class Take>
std::string each_algorithm(cudnnHandle_t handle, const ConvolutionGraph& graph,
                           const Convolution& c, Take&& take) {
  std::string reason;
  for (const auto source : {CUDNN_HEUR_MODE_INSTANT, CUDNN_HEUR_MODE_FALLBACK}) {
    try {
      for (CudnnDescriptor& one : configurations(graph, source)) {
        try {
          if (c.arithmetic == Arithmetic::fp32 && rounds_operands(one)) continue;
          if (take(algorithm_of(handle, std::move(one)))) return reason;
        } catch (const Error& error) {
          reason = error.what();
        }
      }
    } catch (const LibraryError& error) {  // of this source of engines
      reason = error.what();
    }
  }
  return reason;
}

Duration time_of(const ConvolutionAlgorithm& algorithm, int runs, cudaStream_t stream,
                 const RunAlgorithm& run) {
  const Event begin(Event::Timing::on);
  const Event end(Event::Timing::on);
  begin.record(stream);
  for (int i = 0; i < runs; ++i) run(algorithm);
  end.record(stream);
  end.synchronize();
  return *elapsed(begin, end) / runs;  // never empty, because the end was waited for
}

}  // namespace

ConvolutionAlgorithm expected_fastest(cudnnHandle_t handle, const ConvolutionGraph& graph,
                                      const Convolution& c) {
  std::optional<ConvolutionAlgorithm> first;
  const std::string reason = each_algorithm(handle, graph, c, [&](ConvolutionAlgorithm one) {
    if (one.workspace > kMostUnmeasured) return false;
    first = std::move(one);
    return true;
  });
  if (!first) refuse_convolution(c, reason);
  return *std::move(first);
}

ConvolutionAlgorithm measured_fastest(cudnnHandle_t handle, const ConvolutionGraph& graph,
                                      const Convolution& c, cudaStream_t stream,
                                      const RunAlgorithm& run) {
  std::optional<ConvolutionAlgorithm> fastest;
  auto least = Duration::max();
  int measured = 0;
  const std::string reason = each_algorithm(handle, graph, c, [&](ConvolutionAlgorithm one) {
    run(one);  // the first run loads or compiles code
    Duration time = time_of(one, 1, stream, run);
    if (time <= kHopeless * least) time = time_of(one, kMeasuredRuns, stream, run);
    if (time < least) {
      least = time;
      fastest = std::move(one);
    }
    return ++measured == kMostMeasured;
  });
  if (!fastest) refuse_convolution(c, reason);
  return *std::move(fastest);
}

}  // namespace mimus::kernels::cuda
