// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// cuDNN: what descriptors of convolutions must contain, their algorithms, and running one.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "tests/gpu/fake/cudnn_descriptors.hpp"
#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/memory.hpp"
#include "tests/gpu/fake/settings.hpp"

namespace mimus::fake_cuda {
namespace {

constexpr std::chrono::microseconds kSlowAlgorithm{
    10'000};  ///< by which it is slower: far more than a busy host adds

using Name = cudnnBackendAttributeName_t;

struct Pass {
  Name how, x, w, y, alpha, beta;
  char written;
};

Pass pass_of(cudnnBackendDescriptorType_t operation) {
  if (operation == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR) {
    return {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
            'y'};
  }
  if (operation == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR) {
    return {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
            'x'};
  }
  return {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
          'w'};
}

std::int64_t size(const CudnnObject& tensor, std::size_t dimension) {
  return tensor.value<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, dimension);
}

std::size_t bytes(const CudnnObject& tensor) {
  const auto type = tensor.value<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
  const std::int64_t elements =
      size(tensor, 0) * size(tensor, 1) * size(tensor, 2) * size(tensor, 3);
  return static_cast<std::size_t>(elements) * (type == CUDNN_DATA_FLOAT ? 4U : 2U);
}

/// Whether channels are last and all sizes are given.
bool is_tensor(const CudnnObject& t) {
  const auto stride = [&](std::size_t i) {
    return t.value<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES, i);
  };
  const std::int64_t c = size(t, 1);
  const std::int64_t h = size(t, 2);
  const std::int64_t w = size(t, 3);
  return t.has(CUDNN_ATTR_TENSOR_DIMENSIONS, 4) && t.has(CUDNN_ATTR_TENSOR_STRIDES, 4) &&
         t.has(CUDNN_ATTR_TENSOR_UNIQUE_ID, 1) && t.has(CUDNN_ATTR_TENSOR_DATA_TYPE, 1) &&
         t.has(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 1) && size(t, 0) > 0 && c > 0 && h > 0 && w > 0 &&
         stride(0) == h * w * c && stride(1) == 1 && stride(2) == w * c && stride(3) == c;
}

bool is_geometry(const CudnnObject& how) {
  return how.value<std::int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS) == 2 &&
         how.has(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, 1) &&
         how.value<cudnnConvolutionMode_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE) ==
             CUDNN_CROSS_CORRELATION &&
         how.has(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 2) &&
         how.has(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 2) &&
         how.has(CUDNN_ATTR_CONVOLUTION_DILATIONS, 2) &&
         how.has(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 2);
}

std::int64_t side(const CudnnObject& how, std::size_t dimension, std::int64_t in,
                  std::int64_t kernel) {
  const auto each = [&](Name name) { return how.value<std::int64_t>(name, dimension); };
  const std::int64_t padded =
      in + each(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS) + each(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
  return padded < kernel ? 0 : (padded - kernel) / each(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES) + 1;
}

/// Whether x, w and y belong to one convolution.
bool is_convolution(const CudnnObject& operation) {
  const Pass pass = pass_of(operation.type);
  const CudnnObject* const how = operation.part(pass.how);
  const CudnnObject* const x = operation.part(pass.x);
  const CudnnObject* const w = operation.part(pass.w);
  const CudnnObject* const y = operation.part(pass.y);
  if (how == nullptr || x == nullptr || w == nullptr || y == nullptr) return false;
  const auto type = [](const CudnnObject* t) {
    return t->value<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
  };
  return operation.has(pass.alpha, 1) && operation.has(pass.beta, 1) && type(x) == type(w) &&
         type(x) == type(y) && size(*x, 0) == size(*y, 0) && size(*x, 1) == size(*w, 1) &&
         size(*y, 1) == size(*w, 0) && size(*y, 2) == side(*how, 0, size(*x, 2), size(*w, 2)) &&
         size(*y, 3) == side(*how, 1, size(*x, 3), size(*w, 3));
}

/// The heuristics name algorithm 2, which uses tensor cores, and algorithm 1, which turns out to be
/// unusable. Algorithm 0 always works.
std::vector<int> algorithms(const CudnnObject& heuristics) {
  const auto mode = heuristics.value<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE);
  return mode == CUDNN_HEUR_MODE_FALLBACK ? std::vector{0} : std::vector{2, 1};
}

/// The workspace of an algorithm: enough to distinguish shapes, and none for some.
std::int64_t workspace_of(const CudnnObject& configuration) {
  if (configuration.algorithm == 0) return 0;
  const CudnnObject& operation = *configuration.operation;
  const std::size_t filter = bytes(*operation.part(pass_of(operation.type).w));
  return static_cast<std::int64_t>(filter + (std::size_t{1} << 20U));
}

bool complete(const CudnnObject& object) {
  switch (object.type) {
    case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
      return is_tensor(object);
    case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
      return is_geometry(object);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return is_convolution(object);
    case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
      return object.has(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, 1) &&
             object.has(CUDNN_ATTR_OPERATIONGRAPH_OPS, 1);
    case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
      return object.has(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, 1) &&
             object.has(CUDNN_ATTR_ENGINEHEUR_MODE, 1);
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
      return object.has(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, 1) &&
             object.has(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 1);
    case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
      return object.has(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, 3) &&
             object.has(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, 3) &&
             object.has(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, 1);
    default:
      return false;
  }
}

/// The tensor of a variant pack that has the id of this descriptor.
const void* data_of(const CudnnObject& pack, const CudnnObject& tensor) {
  const auto id = tensor.value<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID);
  for (std::size_t i = 0; i < 3; ++i) {
    if (pack.value<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, i) != id) continue;
    return pack.value<const void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, i);
  }
  return nullptr;
}

/// Whether all operands are device memory and no operand that is read is also written.
bool usable_operands(const char* name, const CudnnObject& configuration, const CudnnObject& pack) {
  const Pass pass = pass_of(configuration.operation->type);
  struct Operand {
    char letter;
    const CudnnObject* tensor;
  };
  const std::array operands{Operand{'x', configuration.operation->part(pass.x)},
                            Operand{'w', configuration.operation->part(pass.w)},
                            Operand{'y', configuration.operation->part(pass.y)}};
  const Operand& out = *std::find_if(operands.begin(), operands.end(), [&](const Operand& one) {
    return one.letter == pass.written;
  });
  bool good = true;
  for (const Operand& one : operands) {
    const void* const data = data_of(pack, *one.tensor);
    const std::string letter(1, one.letter);
    good = good && on_device(name, letter.c_str(), data, bytes(*one.tensor));
    if (!good || one.letter == out.letter) continue;
    if (!overlap(data, bytes(*one.tensor), data_of(pack, *out.tensor), bytes(*out.tensor)))
      continue;
    complain(fmt::format("{}: {} overlaps {}", name, one.letter, out.letter));
    good = false;
  }
  const std::int64_t need = workspace_of(configuration);
  const auto* const workspace = pack.value<const void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
  return good &&
         (need == 0 || on_device(name, "the workspace", workspace, static_cast<std::size_t>(need)));
}

}  // namespace

cudnnStatus_t examine(const CudnnObject& object) {
  if (!complete(object)) {
    complain(
        fmt::format("cudnnBackendFinalize: a descriptor of type {} that is not whole or fits "
                    "no convolution",
                    static_cast<int>(object.type)));
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (object.type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) return CUDNN_STATUS_SUCCESS;
  const CudnnObject* engine = object.part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  return engine->algorithm == 1 ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
}

bool answer(const CudnnObject& object, Name name, std::int64_t asked, std::int64_t* count,
            void* values) {
  auto** const objects = static_cast<CudnnObject**>(values);
  if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS) {
    const std::vector<int> found = algorithms(object);
    *count = static_cast<std::int64_t>(found.size());
    const auto* graph = object.part(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
    for (std::size_t i = 0; i < std::min(found.size(), static_cast<std::size_t>(asked)); ++i) {
      objects[i]->algorithm = found[i];
      objects[i]->operation = graph->part(CUDNN_ATTR_OPERATIONGRAPH_OPS);
      objects[i]->finalized = true;
    }
    return true;
  }
  *count = 1;
  if (name == CUDNN_ATTR_ENGINECFG_ENGINE) {
    objects[0]->algorithm = object.algorithm;
    objects[0]->finalized = true;
    return true;
  }
  if (name == CUDNN_ATTR_ENGINE_NUMERICAL_NOTE) {
    const auto note = CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
    *count = object.algorithm == 2 ? 1 : 0;
    if (*count > 0) std::memcpy(values, &note, sizeof(note));
    return true;
  }
  if (name != CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) return false;
  const std::int64_t need = workspace_of(*object.part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG));
  std::memcpy(values, &need, sizeof(need));
  return true;
}

}  // namespace mimus::fake_cuda

using namespace mimus::fake_cuda;

extern "C" cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                             cudnnBackendDescriptor_t pack) {
  Call call(__func__);
  const auto& configuration =
      *static_cast<CudnnObject*>(plan)->part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  if (!usable_operands(__func__, configuration, *static_cast<CudnnObject*>(pack))) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (const cudaError_t left = peek_last_error(); left != cudaSuccess) {
    complain(
        fmt::format("{}: an earlier error, {}, was left behind", __func__, cudaGetErrorName(left)));
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  count("convolution");
  count(fmt::format("algorithm {}", configuration.algorithm));
  const bool slow = configuration.algorithm == settings().slow_algorithm;
  const auto time = settings().kernel_time + (slow ? kSlowAlgorithm : std::chrono::microseconds{0});
  const cudaError_t code = call.enqueue(handle->stream, {.what = "convolution", .duration = time});
  return code == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}
