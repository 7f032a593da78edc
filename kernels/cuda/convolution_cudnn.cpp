// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Linked where the build found cuDNN. Its older interface is used: it offers every pass in one call
// each, and its heuristics pick the same engines that the graph interface would.
#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/cuda/convolution_decomposition.hpp"
#include "kernels/cuda/convolutions.hpp"
#include "kernels/cuda/cuda_memory.hpp"
#include "kernels/cuda/cudnn_algorithms.hpp"

// cuDNN 9 marks that interface deprecated and keeps it.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace mimus::kernels::cuda {
namespace {

using Pass = Convolution::Pass;

/// All that an algorithm depends on.
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
  explicit Plan(const Convolution& c) : descriptors(c) {}
  ConvolutionDescriptors descriptors;
  ConvolutionAlgorithm algorithm;
};

/// Where a convolution finds its tensors, and its work space.
struct Workplace {
  const RegionAddresses& regions;
  const DeviceBuffer& workspace;
};

void set_math(const ConvolutionDescriptors& descriptors, cudnnMathType_t math) {
  check_cudnn(cudnnSetConvolutionMathType(descriptors.convolution.get(), math),
              "cudnnSetConvolutionMathType");
}

}  // namespace

struct Convolutions::Library {
  OwnedByCudnn<cudnnHandle_t> handle = make(&cudnnCreate, "cudnnCreate");
  std::map<Key, Plan> plans;
  DeviceBuffer workspace;

  /// `regions`: of the tensors on which algorithms are measured; nullptr to trust the heuristics.
  const Plan& plan_for(const Convolution& convolution, const RegionAddresses* regions,
                       cudaStream_t stream);
  ConvolutionAlgorithm choose(const Convolution& c, const Plan& plan,
                              const RegionAddresses* regions, cudaStream_t stream) const;
  void run(const Convolution& c, const Plan& plan, const ConvolutionAlgorithm& algorithm,
           const Workplace& at) const;
};

const Plan& Convolutions::Library::plan_for(const Convolution& convolution,
                                            const RegionAddresses* regions, cudaStream_t stream) {
  const Key key = key_of(convolution);
  auto known = plans.find(key);
  if (known == plans.end()) {
    Plan plan(convolution);
    plan.algorithm = choose(convolution, plan, regions, stream);
    set_math(plan.descriptors, plan.algorithm.math);
    known = plans.emplace(key, std::move(plan)).first;
  }
  // Not only for new plans: growing may have failed before, or the workspace been given back.
  const std::size_t need = known->second.algorithm.workspace;
  if (static_cast<std::size_t>(workspace.bytes()) < need) {
    workspace = DeviceBuffer();  // first the old one, so that both need not fit
    workspace = DeviceBuffer(need);
  }
  return known->second;
}

ConvolutionAlgorithm Convolutions::Library::choose(const Convolution& c, const Plan& plan,
                                                   const RegionAddresses* regions,
                                                   cudaStream_t stream) const {
  const auto algorithms = convolution_algorithms(handle.get(), c, plan.descriptors);
  if (regions == nullptr) return expected_fastest(algorithms, c);
  check_cudnn(cudnnSetStream(handle.get(), stream), "cudnnSetStream");
  DeviceBuffer trial;
  return measured_fastest(algorithms, c, stream, [&](const ConvolutionAlgorithm& algorithm) {
    if (static_cast<std::size_t>(trial.bytes()) < algorithm.workspace) {
      trial = DeviceBuffer();
      trial = DeviceBuffer(algorithm.workspace);
    }
    set_math(plan.descriptors, algorithm.math);
    run(c, plan, algorithm, {*regions, trial});
  });
}

void Convolutions::Library::run(const Convolution& c, const Plan& plan,
                                const ConvolutionAlgorithm& algorithm, const Workplace& at) const {
  const float alpha = convolution_scale(c);
  const float beta = 0.0F;
  const ConvolutionDescriptors& d = plan.descriptors;
  void *const x = at.regions.at<void>(c.input), *const y = at.regions.at<void>(c.output);
  void *const w = at.regions.at<void>(c.filter), *const scratch = at.workspace.as<void>();
  switch (c.pass) {
    case Pass::forward:
      check_cudnn(cudnnConvolutionForward(handle.get(), &alpha, d.input.get(), x, d.filter.get(), w,
                                          d.convolution.get(),
                                          static_cast<cudnnConvolutionFwdAlgo_t>(algorithm.number),
                                          scratch, algorithm.workspace, &beta, d.output.get(), y),
                  "cudnnConvolutionForward");
      return;
    case Pass::input_gradient:
      check_cudnn(
          cudnnConvolutionBackwardData(handle.get(), &alpha, d.filter.get(), w, d.output.get(), y,
                                       d.convolution.get(),
                                       static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm.number),
                                       scratch, algorithm.workspace, &beta, d.input.get(), x),
          "cudnnConvolutionBackwardData");
      return;
    case Pass::weight_gradient:
      check_cudnn(
          cudnnConvolutionBackwardFilter(
              handle.get(), &alpha, d.input.get(), x, d.output.get(), y, d.convolution.get(),
              static_cast<cudnnConvolutionBwdFilterAlgo_t>(algorithm.number), scratch,
              algorithm.workspace, &beta, d.filter.get(), w),
          "cudnnConvolutionBackwardFilter");
      return;
  }
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
  library_->run(convolution, plan, plan.algorithm, {regions, library_->workspace});
}

void Convolutions::give_back() noexcept {
  library_->workspace = DeviceBuffer();
}

std::int64_t Convolutions::workspace_bytes() const {
  return library_->workspace.bytes();
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
