// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Linked where the build found cuDNN. Its older interface is used: it offers every pass in one call
// each, and its heuristics pick the same engines that the graph interface would.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "kernels/cuda/convolution_decomposition.hpp"
#include "kernels/cuda/convolutions.hpp"
#include "kernels/cuda/cuda_memory.hpp"
#include "kernels/cuda/cudnn_error.hpp"

// cuDNN 9 marks that interface deprecated and keeps it.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace mimus::kernels::cuda {
namespace {

using Pass = Convolution::Pass;

/// More than this no algorithm is given; PyTorch's default heuristics stay below it for the
/// shapes of the built-in models.
constexpr std::size_t kMostWorkspace = std::size_t{1} << 30U;

struct Destroy {
  void operator()(cudnnContext* handle) const noexcept { static_cast<void>(cudnnDestroy(handle)); }
  void operator()(cudnnTensorStruct* tensor) const noexcept {
    static_cast<void>(cudnnDestroyTensorDescriptor(tensor));
  }
  void operator()(cudnnFilterStruct* filter) const noexcept {
    static_cast<void>(cudnnDestroyFilterDescriptor(filter));
  }
  void operator()(cudnnConvolutionStruct* convolution) const noexcept {
    static_cast<void>(cudnnDestroyConvolutionDescriptor(convolution));
  }
};
template <class Handle>
using OwnedByCudnn = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

template <class Handle>
OwnedByCudnn<Handle> make(cudnnStatus_t (*create)(Handle*), const char* call) {
  Handle handle = nullptr;
  check_cudnn(create(&handle), call);
  return OwnedByCudnn<Handle>(handle);
}

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

cudnnDataType_t data_type(Arithmetic arithmetic) {
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

struct Descriptors {
  OwnedByCudnn<cudnnTensorDescriptor_t> input =
      make(&cudnnCreateTensorDescriptor, "cudnnCreateTensorDescriptor");
  OwnedByCudnn<cudnnTensorDescriptor_t> output =
      make(&cudnnCreateTensorDescriptor, "cudnnCreateTensorDescriptor");
  OwnedByCudnn<cudnnFilterDescriptor_t> filter =
      make(&cudnnCreateFilterDescriptor, "cudnnCreateFilterDescriptor");
  OwnedByCudnn<cudnnConvolutionDescriptor_t> convolution =
      make(&cudnnCreateConvolutionDescriptor, "cudnnCreateConvolutionDescriptor");
  explicit Descriptors(const Convolution& c);
};

Descriptors::Descriptors(const Convolution& c) {
  const auto whole = [](std::int64_t value) { return static_cast<int>(value); };
  const cudnnDataType_t type = data_type(c.arithmetic);
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

struct Algorithm {
  int number = 0;  ///< of the enumeration that belongs to the pass
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  std::size_t workspace = 0;
};

/// The first of cuDNN's candidates, which it orders by expected time, that can be used.
template <class Candidate, class Query>
Algorithm choose(const Convolution& c, int most, const char* call, Query&& query) {
  std::vector<Candidate> candidates(static_cast<std::size_t>(most));
  int found = 0;
  check_cudnn(query(most, &found, candidates.data()), call);
  candidates.resize(static_cast<std::size_t>(std::min(found, most)));
  const auto usable = [&](const Candidate& candidate) {
    const bool exact =
        candidate.mathType == CUDNN_FMA_MATH || candidate.mathType == CUDNN_DEFAULT_MATH;
    return candidate.status == CUDNN_STATUS_SUCCESS && candidate.memory <= kMostWorkspace &&
           (exact || c.arithmetic != Arithmetic::fp32);
  };
  const auto best = std::find_if(candidates.begin(), candidates.end(), usable);
  if (best != candidates.end()) {
    // Default math would let fp32 data be rounded to TF32.
    const bool fp32 = c.arithmetic == Arithmetic::fp32;
    return {static_cast<int>(best->algo), fp32 ? CUDNN_FMA_MATH : best->mathType, best->memory};
  }
  throw LibraryError(
      call, CUDNN_STATUS_NOT_SUPPORTED,
      fmt::format("cuDNN has no algorithm for {} x {} x {} pixels, {} to {} channels, kernel {} x "
                  "{}, stride {} x {} in {}; kernels need an odd height and width",
                  c.batch, c.height, c.width, c.in, c.out, c.kernel_height, c.kernel_width,
                  c.stride_height, c.stride_width, name(c.arithmetic)));
}

Algorithm choose(cudnnHandle_t handle, const Convolution& c, const Descriptors& d) {
  const cudnnTensorDescriptor_t x = d.input.get();
  const cudnnTensorDescriptor_t y = d.output.get();
  switch (c.pass) {
    case Pass::forward:
      return choose<cudnnConvolutionFwdAlgoPerf_t>(
          c, CUDNN_CONVOLUTION_FWD_ALGO_COUNT, "cudnnGetConvolutionForwardAlgorithm_v7",
          [&](int most, int* found, auto* out) {
            return cudnnGetConvolutionForwardAlgorithm_v7(handle, x, d.filter.get(),
                                                          d.convolution.get(), y, most, found, out);
          });
    case Pass::input_gradient:
      return choose<cudnnConvolutionBwdDataAlgoPerf_t>(
          c, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, "cudnnGetConvolutionBackwardDataAlgorithm_v7",
          [&](int most, int* found, auto* out) {
            return cudnnGetConvolutionBackwardDataAlgorithm_v7(
                handle, d.filter.get(), y, d.convolution.get(), x, most, found, out);
          });
    default:
      return choose<cudnnConvolutionBwdFilterAlgoPerf_t>(
          c, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT,
          "cudnnGetConvolutionBackwardFilterAlgorithm_v7", [&](int most, int* found, auto* out) {
            return cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, x, y, d.convolution.get(),
                                                                 d.filter.get(), most, found, out);
          });
  }
}

struct Plan {
  explicit Plan(const Convolution& c) : descriptors(c) {}
  Descriptors descriptors;
  Algorithm algorithm;
};

}  // namespace

struct Convolutions::Library {
  OwnedByCudnn<cudnnHandle_t> handle = make(&cudnnCreate, "cudnnCreate");
  std::map<Key, Plan> plans;
  DeviceBuffer workspace;

  const Plan& plan_for(const Convolution& convolution);
  void run(const Convolution& c, const Plan& plan, const RegionAddresses& regions) const;
};

const Plan& Convolutions::Library::plan_for(const Convolution& convolution) {
  const Key key = key_of(convolution);
  auto known = plans.find(key);
  if (known == plans.end()) {
    Plan plan(convolution);
    plan.algorithm = choose(handle.get(), convolution, plan.descriptors);
    check_cudnn(
        cudnnSetConvolutionMathType(plan.descriptors.convolution.get(), plan.algorithm.math),
        "cudnnSetConvolutionMathType");
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

void Convolutions::Library::run(const Convolution& c, const Plan& plan,
                                const RegionAddresses& regions) const {
  const float alpha = convolution_scale(c);
  const float beta = 0.0F;
  const Descriptors& d = plan.descriptors;
  const Algorithm& algorithm = plan.algorithm;
  void *const x = regions.at<void>(c.input), *const y = regions.at<void>(c.output);
  void *const w = regions.at<void>(c.filter), *const scratch = workspace.as<void>();
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
  static_cast<void>(library_->plan_for(convolution));
}

void Convolutions::enqueue(const Convolution& convolution, const RegionAddresses& regions,
                           cudaStream_t stream) {
  const Plan& plan = library_->plan_for(convolution);
  check_cudnn(cudnnSetStream(library_->handle.get(), stream), "cudnnSetStream");
  library_->run(convolution, plan, regions);
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

std::string Convolutions::library_version() {
  const auto part = [](libraryPropertyType which) {
    int value = 0;
    check_cudnn(cudnnGetProperty(which, &value), "cudnnGetProperty");
    return value;
  };
  return fmt::format("{}.{}.{}", part(MAJOR_VERSION), part(MINOR_VERSION), part(PATCH_LEVEL));
}

}  // namespace mimus::kernels::cuda
