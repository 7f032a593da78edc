// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/matrix_product.hpp"

#include <utility>

#include <fmt/format.h>

#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

/// The size of PyTorch's workspace. cuBLAS recommends 32 MiB for Hopper, and its split-k kernels
/// need it there.
std::size_t workspace_size() {
  constexpr std::size_t kMebibyte = 1U << 20U;
  int device = 0;
  int major = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
             "cudaDeviceGetAttribute");
  return (major >= 9 ? 32U : 8U) * kMebibyte;
}

cudaDataType_t data_type(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::fp16) return CUDA_R_16F;
  if (arithmetic == Arithmetic::bf16) return CUDA_R_16BF;
  return CUDA_R_32F;
}

cublasComputeType_t compute_type(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

template <class Value>
void set(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute,
         const Value& value) {
  check_cublas(cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value),
               "cublasLtMatmulDescSetAttribute");
}

template <class Value>
void set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
         const Value& value) {
  check_cublas(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value),
               "cublasLtMatrixLayoutSetAttribute");
}

template <class Value>
void set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
         const Value& value) {
  check_cublas(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value),
               "cublasLtMatmulPreferenceSetAttribute");
}

void describe(const MatrixLayout& matrix, const ProductShape& shape,
              cublasLtMatrixLayoutOpaque_t& layout) {
  check_cublas(cublasLtMatrixLayoutInit(&layout, data_type(shape.arithmetic),
                                        static_cast<std::uint64_t>(matrix.rows),
                                        static_cast<std::uint64_t>(matrix.columns), matrix.leading),
               "cublasLtMatrixLayoutInit");
  set(&layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(shape.count));
  set(&layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, matrix.batch);
}

void describe_operation(const ProductShape& shape, const DeviceBuffer& bias,
                        cublasLtMatmulDescOpaque_t& operation) {
  check_cublas(cublasLtMatmulDescInit(&operation, compute_type(shape.arithmetic), CUDA_R_32F),
               "cublasLtMatmulDescInit");
  const auto transpose = [](bool yes) {
    return static_cast<std::int32_t>(yes ? CUBLAS_OP_T : CUBLAS_OP_N);
  };
  set(&operation, CUBLASLT_MATMUL_DESC_TRANSA, transpose(shape.transpose_a));
  set(&operation, CUBLASLT_MATMUL_DESC_TRANSB, transpose(shape.transpose_b));
  if (!shape.bias) return;
  set(&operation, CUBLASLT_MATMUL_DESC_EPILOGUE, std::uint32_t{CUBLASLT_EPILOGUE_BIAS});
  set(&operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.as<const void>());
}

}  // namespace

MatrixProducts::MatrixProducts() {
  cublasLtHandle_t handle = nullptr;
  check_cublas(cublasLtCreate(&handle), "cublasLtCreate");
  handle_.reset(handle);
}

MatrixProducts::~MatrixProducts() = default;

void MatrixProducts::Destroy::operator()(cublasLtContext* handle) const noexcept {
  static_cast<void>(cublasLtDestroy(handle));
}

void MatrixProducts::prepare(const Product& product) {
  static_cast<void>(plan_for(product));
}

void MatrixProducts::give_back() noexcept {
  workspace_ = DeviceBuffer();
  backward_workspace_ = DeviceBuffer();
}

void MatrixProducts::enqueue(const Product& product, const RegionAddresses& regions,
                             cudaStream_t stream) {
  enqueue(product, product_scale(product), regions, stream);
}

void MatrixProducts::enqueue(const Product& product, float scale, const RegionAddresses& regions,
                             cudaStream_t stream) {
  Plan& plan = plan_for(product);
  const float beta = product.accumulate ? 1.0F : 0.0F;
  void* const out = regions.at<void>(product.out);
  check_cublas(
      cublasLtMatmul(handle_.get(), &plan.operation, &scale, regions.at<void>(product.right),
                     &plan.a, regions.at<void>(product.left), &plan.b, &beta, out, &plan.d, out,
                     &plan.d, &plan.algorithm, workspace_.as<void>(),
                     static_cast<std::size_t>(workspace_.bytes()), stream),
      "cublasLtMatmul");
}

std::int64_t MatrixProducts::workspace_bytes() const {
  return workspace_.bytes() + backward_workspace_.bytes() + bias_bytes_;
}

MatrixProducts::Plan& MatrixProducts::plan_for(const Product& product) {
  if (!backward_workspace_) {
    workspace_ = DeviceBuffer(workspace_size());
    backward_workspace_ = DeviceBuffer(workspace_size());
  }
  const ProductShape shape = product_shape(product);
  const auto known = plans_.find(shape);
  if (known != plans_.end()) return known->second;
  Plan& plan = plans_.emplace(shape, make_plan(shape)).first->second;
  bias_bytes_ += plan.bias.bytes();
  return plan;
}

MatrixProducts::Plan MatrixProducts::make_plan(const ProductShape& shape) const {
  Plan plan;
  if (shape.bias) {
    // Every byte is 0x3c: a positive number between 0.01 and 1 in each of the formats.
    constexpr int kNonZero = 0x3c;
    plan.bias =
        DeviceBuffer(static_cast<std::size_t>(shape.d.rows * element_bytes(shape.arithmetic)));
    check_cuda(
        cudaMemset(plan.bias.as<void>(), kNonZero, static_cast<std::size_t>(plan.bias.bytes())),
        "cudaMemset");
    // Streams of replicas do not synchronise with the default stream.
    check_cuda(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
  describe_operation(shape, plan.bias, plan.operation);
  describe(shape.a, shape, plan.a);
  describe(shape.b, shape, plan.b);
  describe(shape.d, shape, plan.d);
  choose_algorithm(shape, plan);
  return plan;
}

void MatrixProducts::choose_algorithm(const ProductShape& shape, Plan& plan) const {
  cublasLtMatmulPreferenceOpaque_t preference{};
  check_cublas(cublasLtMatmulPreferenceInit(&preference), "cublasLtMatmulPreferenceInit");
  set(&preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
      static_cast<std::uint64_t>(workspace_.bytes()));
  const auto alignment = [](const MatrixLayout& matrix) {
    return static_cast<std::uint32_t>(matrix.alignment);
  };
  set(&preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment(shape.a));
  set(&preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment(shape.b));
  set(&preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment(shape.d));
  set(&preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment(shape.d));

  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const cublasStatus_t code =
      cublasLtMatmulAlgoGetHeuristic(handle_.get(), &plan.operation, &plan.a, &plan.b, &plan.d,
                                     &plan.d, &preference, 1, &best, &found);
  const std::string call =
      fmt::format("cublasLtMatmulAlgoGetHeuristic for {} x {} x {} in {}", shape.d.columns,
                  shape.d.rows, shape.inner, name(shape.arithmetic));
  check_cublas(code, call);
  check_cublas(found > 0 ? best.state : CUBLAS_STATUS_NOT_SUPPORTED, call);
  plan.algorithm = best.algo;
}

}  // namespace mimus::kernels::cuda
