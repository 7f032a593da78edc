// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/cudnn_error.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

TEST(CudnnError, SaysWhatACodeMeansForTheRun) {
  EXPECT_NO_THROW(check_cudnn(CUDNN_STATUS_SUCCESS, "cudnnCreate"));
  EXPECT_THROW(check_cudnn(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, "cudnnCreate"),
               OutOfMemoryError);
  EXPECT_THROW(check_cudnn(CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH, "cudnnCreate"),
               EnvironmentError);
  constexpr auto kSublibraryLoadingFailed = static_cast<cudnnStatus_t>(1008);
  EXPECT_THROW(check_cudnn(kSublibraryLoadingFailed, "cudnnCreate"), EnvironmentError);
  EXPECT_THROW(check_cudnn(CUDNN_STATUS_BAD_PARAM, "cudnnConvolutionForward"), LibraryError);
}

}  // namespace
}  // namespace mimus::kernels::cuda
