// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// cuBLASLt: descriptors, handles and versions.
#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/matrix_descriptors.hpp"
#include "tests/gpu/fake/settings.hpp"

using namespace mimus::fake_cuda;

namespace {

constexpr const char* kHandles = "cuBLASLt handles";

cublasStatus_t done(bool yes, const char* call) {
  if (yes) return CUBLAS_STATUS_SUCCESS;
  complain(std::string(call) +
           ": an attribute of another size, or one that the fake does not have");
  return CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace

struct cublasLtContext {};

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  const Call call(__func__);
  *handle = new cublasLtContext;
  call.handles.others.emplace(kHandles, *handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  const Call call(__func__);
  if (call.handles.others.erase({kHandles, handle}) == 0) {
    complain("cublasLtDestroy: no such handle");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion() {
  return CUBLAS_VERSION;
}

const char* cublasLtGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? "success" : "an error that the fake returned";
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t /*size*/,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t leading) {
  inside<MatrixDescriptor>(layout) = {rows, columns, leading, 0, static_cast<std::int32_t>(type),
                                      1};
  const bool fits = rows >= 1 && columns >= 1 && leading >= static_cast<std::int64_t>(rows);
  return done(fits, __func__);
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, size_t bytes) {
  auto& matrix = inside<MatrixDescriptor>(layout);
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return done(put(matrix.count, value, bytes), __func__);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return done(put(matrix.stride, value, bytes), __func__);
    default:
      return done(false, __func__);
  }
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t operation, size_t /*size*/,
                                               cublasComputeType_t compute, cudaDataType_t scale) {
  inside<ProductDescriptor>(operation) = {nullptr,     static_cast<std::int32_t>(compute),
                                          scale,       CUBLAS_OP_N,
                                          CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t bytes) {
  auto& product = inside<ProductDescriptor>(operation);
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return done(put(product.transpose_a, value, bytes), __func__);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return done(put(product.transpose_b, value, bytes), __func__);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return done(put(product.epilogue, value, bytes), __func__);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return done(put(product.bias, value, bytes), __func__);
    default:
      return done(false, __func__);
  }
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     size_t /*size*/) {
  inside<PreferenceDescriptor>(preference) = {0, {256, 256, 256, 256}};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t bytes) {
  auto& wanted = inside<PreferenceDescriptor>(preference);
  switch (attribute) {
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return done(put(wanted.workspace, value, bytes), __func__);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
      return done(put(wanted.alignment[0], value, bytes), __func__);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
      return done(put(wanted.alignment[1], value, bytes), __func__);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
      return done(put(wanted.alignment[2], value, bytes), __func__);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
      return done(put(wanted.alignment[3], value, bytes), __func__);
    default:
      return done(false, __func__);
  }
}

}  // extern "C"
