// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Linked if the build found cuDNN. Uses its graph interface, as PyTorch does. With channels last,
// the older interface lacks some engines, e.g. all that transform their operands.
#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/cuda/libraries/convolution_engines.hpp"
#include "kernels/cuda/libraries/convolutions.hpp"
#include "kernels/cuda/runtime/cuda_memory.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Everything that the choice of an algorithm depends on.
using Key = std::array<std::int64_t, 11>;

Key key_of(const Convolution& c) {
  return {static_cast<std::int64_t>(c.pass),
          c.batch,
          c.in,
          c.out,
          c.kernel_height,
          c.kernel_width,
          c.stride_height,
          c.stride_width,
          c.height,
          c.width,
          static_cast<std::int64_t>(c.arithmetic)};
}

struct Plan {
  ConvolutionGraph graph;  ///< must outlive the algorithm, which refers to it
  ConvolutionAlgorithm algorithm;
};

/// The tensors of a convolution and its workspace.
struct Workplace {
  const RegionAddresses& regions;
  const DeviceBuffer& workspace;
};

void execute(cudnnHandle_t handle, const Convolution& c, const ConvolutionAlgorithm& algorithm,
             const Workplace& at) {
  const std::array tensors{at.regions.at<void>(c.input), at.regions.at<void>(c.filter),
                           at.regions.at<void>(c.output)};
  CudnnDescriptor operands(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  operands.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, kConvolutionTensors);
  operands.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, tensors);
  operands.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, at.workspace.as<void>());
  operands.finalize();
  check_cudnn(cudnnBackendExecute(handle, algorithm.plan.get(), operands.get()),
              "cudnnBackendExecute");
}

void grow(DeviceBuffer& buffer, std::int64_t bytes) {
  if (buffer.bytes() >= bytes) return;
  buffer = DeviceBuffer();  // frees the old one first, as both might not fit
  buffer = DeviceBuffer(static_cast<std::size_t>(bytes));
}

}  // namespace

struct Convolutions::Library {
  CudnnHandle handle = make_cudnn_handle();
  std::map<Key, Plan> plans;
  DeviceBuffer workspace;

  /// `regions` holds the tensors on which algorithms are measured; nullptr uses the heuristics.
  const Plan& plan_for(const Convolution& convolution, const RegionAddresses* regions,
                       cudaStream_t stream);
  ConvolutionAlgorithm choose(const Convolution& c, const ConvolutionGraph& graph,
                              const RegionAddresses* regions, cudaStream_t stream) const;
};

const Plan& Convolutions::Library::plan_for(const Convolution& convolution,
                                            const RegionAddresses* regions, cudaStream_t stream) {
  const Key key = key_of(convolution);
  auto known = plans.find(key);
  if (known == plans.end()) {
    ConvolutionGraph graph(handle.get(), convolution);
    ConvolutionAlgorithm algorithm = choose(convolution, graph, regions, stream);
    known = plans.emplace(key, Plan{std::move(graph), std::move(algorithm)}).first;
  }
  // Not only for new plans: growing may have failed before, or the workspace may have been given
  // back.
  grow(workspace, known->second.algorithm.workspace);
  return known->second;
}

ConvolutionAlgorithm Convolutions::Library::choose(const Convolution& c,
                                                   const ConvolutionGraph& graph,
                                                   const RegionAddresses* regions,
                                                   cudaStream_t stream) const {
  if (regions == nullptr) return expected_fastest(handle.get(), graph, c);
  check_cudnn(cudnnSetStream(handle.get(), stream), "cudnnSetStream");
  DeviceBuffer trial;
  return measured_fastest(handle.get(), graph, c, stream, [&](const ConvolutionAlgorithm& one) {
    grow(trial, one.workspace);
    execute(handle.get(), c, one, {*regions, trial});
  });
}

Convolutions::Convolutions() : library_(std::make_unique<Library>()) {}
Convolutions::~Convolutions() = default;

void Convolutions::prepare(const Convolution& convolution) {
  static_cast<void>(library_->plan_for(convolution, nullptr, nullptr));
}

void Convolutions::prepare_measured(const Convolution& convolution, const RegionAddresses& regions,
                                    cudaStream_t stream) {
  static_cast<void>(library_->plan_for(convolution, &regions, stream));
}

void Convolutions::enqueue(const Convolution& convolution, const RegionAddresses& regions,
                           cudaStream_t stream) {
  const Plan& plan = library_->plan_for(convolution, nullptr, stream);
  check_cudnn(cudnnSetStream(library_->handle.get(), stream), "cudnnSetStream");
  execute(library_->handle.get(), convolution, plan.algorithm, {regions, library_->workspace});
}

/// A fill, the convolution, and a kernel that adds its parts or reorders an operand.
std::int64_t Convolutions::most_commands(const Convolution& /*convolution*/) {
  return 4;
}

void Convolutions::give_back() noexcept {
  library_->workspace = DeviceBuffer();
}

std::int64_t Convolutions::workspace_bytes() const {
  return library_->workspace.bytes();
}

std::int64_t Convolutions::workspace_bytes(const Convolution& convolution) const {
  const auto known = library_->plans.find(key_of(convolution));
  return known == library_->plans.end() ? 0 : known->second.algorithm.workspace;
}

const char* Convolutions::name() {
  return "cuDNN";
}

bool Convolutions::can_measure() {
  return true;
}

std::string Convolutions::library_version() {
  const auto part = [](libraryPropertyType which) {
    int value = 0;
    check_cudnn(cudnnGetProperty(which, &value), "cudnnGetProperty");
    return value;
  };
  return fmt::format("{}.{}.{}", part(MAJOR_VERSION), part(MINOR_VERSION), part(PATCH_LEVEL));
}

}  // namespace mimus::kernels::cuda
