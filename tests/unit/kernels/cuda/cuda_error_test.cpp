// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/cuda_error.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

using testing::HasSubstr;

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(CudaError, LetsSuccessPass) {
  EXPECT_NO_THROW(check_cuda(cudaSuccess, "cudaMalloc"));
  EXPECT_NO_THROW(check_cublas(CUBLAS_STATUS_SUCCESS, "cublasLtMatmul"));
}

TEST(CudaError, EndsAnAttemptWhenMemoryRunsOut) {
  EXPECT_THROW(check_cuda(cudaErrorMemoryAllocation, "cudaMalloc"), DeviceFullError);
  EXPECT_THROW(check_cublas(CUBLAS_STATUS_ALLOC_FAILED, "cublasLtCreate"), DeviceFullError);
}

TEST(CudaError, NamesTheRemedyForAMachineThatCannotRun) {
  for (const cudaError_t code :
       {cudaErrorNoDevice, cudaErrorInsufficientDriver, cudaErrorNoKernelImageForDevice,
        cudaErrorUnsupportedPtxVersion, cudaErrorDevicesUnavailable, cudaErrorMpsServerNotReady,
        cudaErrorSystemDriverMismatch}) {
    EXPECT_THROW(check_cuda(code, "cudaSetDevice"), EnvironmentError) << cudaGetErrorName(code);
  }
  EXPECT_THROW(check_cublas(CUBLAS_STATUS_ARCH_MISMATCH, "cublasLtMatmul"), EnvironmentError);

  const auto text = [](cudaError_t code) {
    return message_of([&] { check_cuda(code, "cudaSetDevice"); });
  };
  EXPECT_THAT(text(cudaErrorNoDevice), HasSubstr("CUDA_VISIBLE_DEVICES"));
  EXPECT_THAT(text(cudaErrorInsufficientDriver), HasSubstr("newer driver"));
  EXPECT_THAT(text(cudaErrorNoKernelImageForDevice), HasSubstr("CMAKE_CUDA_ARCHITECTURES"));
}

TEST(CudaError, LosesTheDeviceOnStickyErrors) {
  for (const cudaError_t code :
       {cudaErrorIllegalAddress, cudaErrorECCUncorrectable, cudaErrorLaunchFailure,
        cudaErrorMisalignedAddress, cudaErrorMpsClientTerminated, cudaErrorUnknown}) {
    EXPECT_EQ(classify(code), Fault::device_lost) << cudaGetErrorName(code);
    EXPECT_THROW(check_cuda(code, "cudaEventQuery"), DeviceLostError);
  }
}

TEST(CudaError, PassesAnyOtherCodeOnWithTheLibrarysText) {
  EXPECT_THROW(check_cuda(cudaErrorInvalidValue, "cudaMemcpy"), LibraryError);
  EXPECT_THROW(check_cublas(CUBLAS_STATUS_NOT_SUPPORTED, "cublasLtMatmul"), LibraryError);

  const std::string text = message_of([] { check_cuda(cudaErrorInvalidValue, "cudaMemcpy"); });

  EXPECT_THAT(text, HasSubstr("cudaMemcpy failed with code 1: invalid argument"));
}

}  // namespace
}  // namespace mimus::kernels::cuda
