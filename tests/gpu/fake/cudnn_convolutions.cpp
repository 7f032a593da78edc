// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Of cuDNN: choosing algorithms of convolutions, and running them.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "tests/gpu/fake/cudnn_descriptors.hpp"
#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/memory.hpp"
#include "tests/gpu/fake/settings.hpp"

// cuDNN 9 marks the interface deprecated that Mimus uses.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace mimus::fake_cuda;

namespace {

constexpr std::chrono::microseconds kSlowAlgorithm{1000};  ///< that it takes longer

struct Shapes {
  const cudnnTensorStruct& x;
  const cudnnTensorStruct& y;
  const cudnnFilterStruct& w;
  const cudnnConvolutionStruct& how;
};

std::size_t side(std::size_t in, int pad, std::size_t kernel, int stride) {
  const auto padded = in + 2 * static_cast<std::size_t>(pad);
  return padded < kernel ? 0 : (padded - kernel) / static_cast<std::size_t>(stride) + 1;
}

/// Whether x, w and y are those of one convolution; complains when not.
bool agree(const char* call, const Shapes& s) {
  const auto height = side(s.x.h, s.how.pad_h, s.w.h, s.how.stride_h);
  const auto width = side(s.x.w, s.how.pad_w, s.w.w, s.how.stride_w);
  const bool types = s.x.type == s.y.type && s.x.type == s.w.type;
  if (types && s.x.n == s.y.n && s.x.c == s.w.in && s.y.c == s.w.out && s.y.h == height &&
      s.y.w == width) {
    return true;
  }
  complain(
      fmt::format("{}: {} x {} x {} x {} by {} x {} x {} x {} gives {} x {}, not {} x {} x {} x {}",
                  call, s.x.n, s.x.c, s.x.h, s.x.w, s.w.out, s.w.in, s.w.h, s.w.w, height, width,
                  s.y.n, s.y.c, s.y.h, s.y.w));
  return false;
}

/// What an algorithm takes: enough to tell shapes apart, and none for some.
std::size_t workspace_of(const Shapes& s, int algorithm) {
  return algorithm == 0 ? 0 : s.w.bytes() + (std::size_t{1} << 20U);
}

/// The first candidate is for tensor cores and not for exact fp32, the second cannot be used, the
/// third can.
template <class Result>
cudnnStatus_t candidates(const char* call, const Shapes& s, int asked, int* found,
                         Result* results) {
  if (!agree(call, s)) return CUDNN_STATUS_BAD_PARAM;
  constexpr std::array kStates{CUDNN_STATUS_SUCCESS, CUDNN_STATUS_NOT_SUPPORTED,
                               CUDNN_STATUS_SUCCESS};
  constexpr std::array kMath{CUDNN_TENSOR_OP_MATH, CUDNN_DEFAULT_MATH, CUDNN_DEFAULT_MATH};
  *found = std::min(asked, 3);
  for (int i = 0; i < *found; ++i) {
    Result& result = results[i];
    result = Result{};
    const int number = 2 - i;
    result.algo = static_cast<decltype(result.algo)>(number);
    result.status = kStates[static_cast<std::size_t>(i)];
    result.memory = workspace_of(s, number);
    result.mathType = kMath[static_cast<std::size_t>(i)];
  }
  return CUDNN_STATUS_SUCCESS;
}

struct Operand {
  const char* name;
  const void* data;
  std::size_t bytes;
};

/// `out` is the one that is written.
cudnnStatus_t run(const char* name, cudnnHandle_t handle, const Shapes& s, int algorithm,
                  const Operand& workspace, const std::array<Operand, 2>& in, const Operand& out) {
  Call call(name);
  if (!agree(name, s)) return CUDNN_STATUS_BAD_PARAM;
  bool good = on_device(name, out.name, out.data, out.bytes);
  for (const Operand& one : in) {
    good = good && on_device(name, one.name, one.data, one.bytes);
    if (!good || !overlap(one.data, one.bytes, out.data, out.bytes)) continue;
    complain(fmt::format("{}: {} overlaps {}", name, one.name, out.name));
    good = false;
  }
  if (workspace.bytes < workspace_of(s, algorithm)) {
    complain(fmt::format("{}: a workspace of {} bytes", name, workspace.bytes));
    good = false;
  }
  if (workspace.bytes > 0) {
    good = good && on_device(name, workspace.name, workspace.data, workspace.bytes);
  }
  if (!good) return CUDNN_STATUS_BAD_PARAM;
  if (const cudaError_t left = peek_last_error(); left != cudaSuccess) {
    complain(
        fmt::format("{}: an earlier error, {}, was left behind", name, cudaGetErrorName(left)));
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  count("convolution");
  count(fmt::format("algorithm {}", algorithm));
  const bool slow = algorithm == settings().slow_algorithm;
  const auto time = settings().kernel_time + (slow ? kSlowAlgorithm : std::chrono::microseconds{0});
  const cudaError_t code = call.enqueue(handle->stream, {.what = "convolution", .duration = time});
  return code == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t /*handle*/, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
    const cudnnConvolutionDescriptor_t how, const cudnnTensorDescriptor_t y, const int asked,
    int* found, cudnnConvolutionFwdAlgoPerf_t* results) {
  return candidates(__func__, {*x, *y, *w, *how}, asked, found, results);
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t /*handle*/, const cudnnFilterDescriptor_t w, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t how, const cudnnTensorDescriptor_t x, const int asked,
    int* found, cudnnConvolutionBwdDataAlgoPerf_t* results) {
  return candidates(__func__, {*x, *y, *w, *how}, asked, found, results);
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t /*handle*/, const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t how, const cudnnFilterDescriptor_t w, const int asked,
    int* found, cudnnConvolutionBwdFilterAlgoPerf_t* results) {
  return candidates(__func__, {*x, *y, *w, *how}, asked, found, results);
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* /*alpha*/,
                                      const cudnnTensorDescriptor_t x, const void* x_data,
                                      const cudnnFilterDescriptor_t w, const void* w_data,
                                      const cudnnConvolutionDescriptor_t how,
                                      cudnnConvolutionFwdAlgo_t algorithm, void* workspace,
                                      size_t bytes, const void* /*beta*/,
                                      const cudnnTensorDescriptor_t y, void* y_data) {
  return run(__func__, handle, {*x, *y, *w, *how}, algorithm, {"the workspace", workspace, bytes},
             {{{"x", x_data, x->bytes()}, {"w", w_data, w->bytes()}}}, {"y", y_data, y->bytes()});
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* /*alpha*/,
                                           const cudnnFilterDescriptor_t w, const void* w_data,
                                           const cudnnTensorDescriptor_t y, const void* y_data,
                                           const cudnnConvolutionDescriptor_t how,
                                           cudnnConvolutionBwdDataAlgo_t algorithm, void* workspace,
                                           size_t bytes, const void* /*beta*/,
                                           const cudnnTensorDescriptor_t x, void* x_data) {
  return run(__func__, handle, {*x, *y, *w, *how}, algorithm, {"the workspace", workspace, bytes},
             {{{"dy", y_data, y->bytes()}, {"w", w_data, w->bytes()}}}, {"dx", x_data, x->bytes()});
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* /*alpha*/,
                                             const cudnnTensorDescriptor_t x, const void* x_data,
                                             const cudnnTensorDescriptor_t y, const void* y_data,
                                             const cudnnConvolutionDescriptor_t how,
                                             cudnnConvolutionBwdFilterAlgo_t algorithm,
                                             void* workspace, size_t bytes, const void* /*beta*/,
                                             const cudnnFilterDescriptor_t w, void* w_data) {
  return run(__func__, handle, {*x, *y, *w, *how}, algorithm, {"the workspace", workspace, bytes},
             {{{"x", x_data, x->bytes()}, {"dy", y_data, y->bytes()}}}, {"dw", w_data, w->bytes()});
}

}  // extern "C"
