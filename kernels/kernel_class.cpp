// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_class.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "kernels/kernel_name.hpp"

namespace mimus::kernels::cuda {
namespace {

struct Rule {
  std::string_view part;  ///< in lower case
  KernelClass kind;
};

/// Mimus's own kernels, by the prefix of their name.
constexpr std::array kOwn{
    Rule{"gemm", KernelClass::gemm},
    Rule{"batched_gemm", KernelClass::gemm},
    Rule{"recurrent", KernelClass::gemm},
    Rule{"convolution", KernelClass::convolution},
    Rule{"normalisation", KernelClass::normalisation},
    Rule{"elementwise", KernelClass::elementwise},
    Rule{"reduction", KernelClass::reduction},
    Rule{"softmax", KernelClass::reduction},
    Rule{"embedding", KernelClass::embedding},
    Rule{"optimiser", KernelClass::optimiser},
    Rule{"sgd", KernelClass::optimiser},
    Rule{"adam", KernelClass::optimiser},
    Rule{"copy", KernelClass::copy},
    Rule{"memset", KernelClass::memset},
    Rule{"collective", KernelClass::collective},
};

/// Kernels of libraries, by a part of their function's name. The first match decides, so specific
/// names come before general ones: attention before softmax, layout changes and normalisation
/// before the rest of cuDNN, convolutions before the products that they consist of.
constexpr std::array kOthers{
    Rule{"nccldevkernel", KernelClass::collective},
    Rule{"ncclkernel", KernelClass::collective},
    Rule{"ncclsymk", KernelClass::collective},
    Rule{"nccl_", KernelClass::collective},
    Rule{"multi_tensor_apply", KernelClass::optimiser},
    Rule{"adam", KernelClass::optimiser},
    Rule{"sgd", KernelClass::optimiser},
    Rule{"lamb_", KernelClass::optimiser},
    Rule{"flash_fwd", KernelClass::gemm},
    Rule{"flash_bwd", KernelClass::gemm},
    Rule{"fmha", KernelClass::gemm},
    Rule{"sdpa", KernelClass::gemm},
    Rule{"nchwtonhwc", KernelClass::copy},
    Rule{"nhwctonchw", KernelClass::copy},
    Rule{"transpose", KernelClass::copy},
    Rule{"batchedcopy", KernelClass::copy},
    Rule{"converttensor", KernelClass::copy},
    Rule{"memcpy", KernelClass::copy},
    Rule{"memset", KernelClass::memset},
    Rule{"embedding", KernelClass::embedding},
    Rule{"indexselect", KernelClass::embedding},
    Rule{"compute_grad_weight", KernelClass::embedding},
    Rule{"krn_partial", KernelClass::embedding},
    Rule{"bn_fw", KernelClass::normalisation},
    Rule{"bn_bw", KernelClass::normalisation},
    Rule{"batch_norm", KernelClass::normalisation},
    Rule{"batchnorm", KernelClass::normalisation},
    Rule{"layer_norm", KernelClass::normalisation},
    Rule{"layernorm", KernelClass::normalisation},
    Rule{"group_norm", KernelClass::normalisation},
    Rule{"groupnorm", KernelClass::normalisation},
    Rule{"rms_norm", KernelClass::normalisation},
    Rule{"rmsnorm", KernelClass::normalisation},
    Rule{"rowwisemoments", KernelClass::normalisation},
    Rule{"gammabetabackward", KernelClass::normalisation},
    Rule{"softmax", KernelClass::reduction},
    Rule{"pool", KernelClass::reduction},
    Rule{"splitkreduce", KernelClass::gemm},
    Rule{"elementwise", KernelClass::elementwise},
    Rule{"pointwise", KernelClass::elementwise},
    Rule{"eigenmetakernel", KernelClass::elementwise},
    Rule{"triton_poi", KernelClass::elementwise},
    Rule{"dropout", KernelClass::elementwise},
    Rule{"implicit_gemm", KernelClass::convolution},
    Rule{"fprop", KernelClass::convolution},
    Rule{"dgrad", KernelClass::convolution},
    Rule{"wgrad", KernelClass::convolution},
    Rule{"winograd", KernelClass::convolution},
    Rule{"conv_", KernelClass::convolution},
    Rule{"conv1d", KernelClass::convolution},
    Rule{"conv2d", KernelClass::convolution},
    Rule{"conv3d", KernelClass::convolution},
    Rule{"convolution", KernelClass::convolution},
    Rule{"convolve", KernelClass::convolution},
    Rule{"gemm", KernelClass::gemm},
    Rule{"gemv", KernelClass::gemm},
    Rule{"nvjet", KernelClass::gemm},
    Rule{"cutlass", KernelClass::gemm},
    Rule{"xmma", KernelClass::gemm},
    Rule{"cublas", KernelClass::gemm},
    Rule{"triton_red", KernelClass::reduction},
    Rule{"triton_per", KernelClass::reduction},
    Rule{"reduc", KernelClass::reduction},
    Rule{"nll_loss", KernelClass::reduction},
    Rule{"cudnn", KernelClass::convolution},
};

std::string lower_case(std::string_view text) {
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// The rest of `function` after Mimus's prefix, or "" if it is not a kernel of Mimus.
std::string_view own_name(std::string_view function) {
  const auto colons = function.rfind("::");
  const std::string_view last =
      colons == std::string_view::npos ? function : function.substr(colons + 2);
  if (last.starts_with("mimus_")) return last.substr(std::string_view{"mimus_"}.size());
  return function.starts_with("mimus::") ? last : "";
}

template <class Fits>
KernelClass first_that(const auto& rules, Fits&& fits) {
  const auto found = std::find_if(rules.begin(), rules.end(), fits);
  return found == rules.end() ? KernelClass::other : found->kind;
}

/// The part of `name` that says what the operation does.
std::string telling_part(const std::string& name) {
  // "Memcpy HtoD (Pageable -> Device)" is how profilers name copies, which are not kernels.
  if (name.starts_with("Memcpy") || name.starts_with("Memset")) return name.substr(0, 6);
  const std::string function = kernel_function(name);
  return is_generic_wrapper(function) ? name : function;
}

}  // namespace

const char* name(KernelClass kind) {
  switch (kind) {
    case KernelClass::gemm:
      return "gemm";
    case KernelClass::convolution:
      return "convolution";
    case KernelClass::normalisation:
      return "normalisation";
    case KernelClass::elementwise:
      return "elementwise";
    case KernelClass::reduction:
      return "reduction";
    case KernelClass::embedding:
      return "embedding";
    case KernelClass::optimiser:
      return "optimiser";
    case KernelClass::copy:
      return "copy";
    case KernelClass::memset:
      return "memset";
    case KernelClass::collective:
      return "collective";
    case KernelClass::other:
      return "other";
  }
  return "other";
}

KernelClass classify_kernel(std::string_view kernel_name) {
  const std::string text = telling_part(demangled_kernel_name(std::string{kernel_name}));
  if (const auto own = own_name(text); !own.empty()) {
    return first_that(kOwn, [&](const Rule& rule) { return own.starts_with(rule.part); });
  }
  const std::string lower = lower_case(text);
  return first_that(kOthers,
                    [&](const Rule& rule) { return lower.find(rule.part) != std::string::npos; });
}

}  // namespace mimus::kernels::cuda
