// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// cuBLASLt: choosing an algorithm and running it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/matrix_descriptors.hpp"
#include "tests/gpu/fake/memory.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

namespace {

/// The descriptors of one call.
struct Product {
  const ProductDescriptor& operation;
  const MatrixDescriptor &a, &b, &c, &d;
};

/// FNV-1a over what identifies a product.
std::uint64_t identity(const Product& p) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 1099511628211U; };
  for (const MatrixDescriptor* m : {&p.a, &p.b, &p.c, &p.d}) {
    add(m->rows), add(m->columns), add(static_cast<std::uint64_t>(m->leading));
    add(static_cast<std::uint64_t>(m->count)), add(static_cast<std::uint64_t>(m->type));
  }
  add(static_cast<std::uint64_t>(p.operation.transpose_a));
  add(static_cast<std::uint64_t>(p.operation.transpose_b));
  add(static_cast<std::uint64_t>(p.operation.compute));
  add(p.operation.epilogue);
  return hash;
}

/// Why no such product exists, or "".
std::string mistake(const Product& p) {
  const bool turned_a = p.operation.transpose_a == CUBLAS_OP_T;
  const bool turned_b = p.operation.transpose_b == CUBLAS_OP_T;
  const auto m = turned_a ? p.a.columns : p.a.rows;
  const auto k = turned_a ? p.a.rows : p.a.columns;
  const auto other_k = turned_b ? p.b.columns : p.b.rows;
  const auto n = turned_b ? p.b.rows : p.b.columns;
  if (k != other_k) return fmt::format("inner sides {} and {}", k, other_k);
  if (p.d.rows != m || p.d.columns != n) {
    return fmt::format("a result of {} x {} for {} x {}", p.d.rows, p.d.columns, m, n);
  }
  for (const MatrixDescriptor* one : {&p.b, &p.c, &p.d}) {
    if (one->type != p.a.type) return "operands of several types";
    if (one->count != p.a.count) return "operands of several batch counts";
  }
  if (p.d.count > 1 && p.d.stride < static_cast<std::int64_t>(p.d.columns) * p.d.leading) {
    return "results of a batch that overlap";
  }
  const bool fast = p.operation.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  if (fast && p.a.type != CUDA_R_32F) return "TF32 with operands of 16 bits";
  return p.operation.scale == CUDA_R_32F ? "" : "a scale that is not fp32";
}

bool aligned(const void* pointer, std::uint64_t to) {
  return reinterpret_cast<std::uintptr_t>(pointer) % to == 0;
}

/// Whether the operands are in device memory with the promised alignment and apart from the result.
bool operands_fit(const Product& p, const AlgorithmDescriptor& algorithm,
                  const std::array<const void*, 4>& pointers) {
  constexpr const char* kCall = "cublasLtMatmul";
  const std::array<const MatrixDescriptor*, 4> matrices{&p.a, &p.b, &p.c, &p.d};
  constexpr std::array kNames{"A", "B", "C", "D"};
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (!on_device(kCall, kNames[i], pointers[i], matrices[i]->bytes())) return false;
    if (aligned(pointers[i], algorithm.alignment[i])) continue;
    complain(fmt::format("{}: {} is not aligned to the {} bytes that were promised", kCall,
                         kNames[i], algorithm.alignment[i]));
    return false;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (!overlap(pointers[i], matrices[i]->bytes(), pointers[3], p.d.bytes())) continue;
    complain(fmt::format("{}: {} overlaps the result", kCall, kNames[i]));
    return false;
  }
  const bool has_bias = p.operation.epilogue == CUBLASLT_EPILOGUE_BIAS;
  return !has_bias || on_device(kCall, "the bias", p.operation.bias, p.d.rows * p.d.element());
}

cublasStatus_t refuse(const std::string& why) {
  complain("cublasLt: " + why);
  return CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t /*handle*/,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int asked,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* found) {
  const Call call(__func__);
  const Product product{inside<ProductDescriptor>(operation), inside<MatrixDescriptor>(a),
                        inside<MatrixDescriptor>(b), inside<MatrixDescriptor>(c),
                        inside<MatrixDescriptor>(d)};
  if (const std::string why = mistake(product); !why.empty()) return refuse(why);
  if (asked < 1) return refuse("no result was asked for");
  const auto& wanted = inside<PreferenceDescriptor>(preference);
  results[0] = {};
  AlgorithmDescriptor& algorithm = inside<AlgorithmDescriptor>(&results[0].algo);
  algorithm.workspace = std::min<std::uint64_t>(wanted.workspace, 4U << 20U);
  algorithm.product = identity(product);
  std::copy_n(wanted.alignment, 4, algorithm.alignment);
  results[0].workspaceSize = algorithm.workspace;
  results[0].state = CUBLAS_STATUS_SUCCESS;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void* /*alpha*/, const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout, const void* /*beta*/,
                              const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* chosen,
                              void* workspace, size_t bytes, cudaStream_t stream) {
  Call call(__func__);
  const Product product{inside<ProductDescriptor>(operation), inside<MatrixDescriptor>(a_layout),
                        inside<MatrixDescriptor>(b_layout), inside<MatrixDescriptor>(c_layout),
                        inside<MatrixDescriptor>(d_layout)};
  const auto& algorithm = inside<AlgorithmDescriptor>(chosen);
  if (call.handles.others.count({"cuBLASLt handles", handle}) == 0) return refuse("no such handle");
  if (algorithm.product != identity(product)) return refuse("an algorithm for another product");
  if (!operands_fit(product, algorithm, {a, b, c, d})) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes < algorithm.workspace || !aligned(workspace, 256)) return refuse("the workspace");
  if (!on_device(__func__, "the workspace", workspace, bytes)) return CUBLAS_STATUS_INVALID_VALUE;
  if (const cudaError_t left = peek_last_error(); left != cudaSuccess) {
    complain(
        fmt::format("{}: an earlier error, {}, was left behind", __func__, cudaGetErrorName(left)));
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  count("product");
  const cudaError_t code =
      call.enqueue(stream, {.what = "product", .duration = settings().kernel_time});
  return code == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // extern "C"
