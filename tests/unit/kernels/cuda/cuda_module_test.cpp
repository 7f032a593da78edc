// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernels/cuda/backend/backend_module.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"

namespace mimus::kernels {
namespace {

class CudaModule : public testing::Test {
 protected:
  void SetUp() override { ::setenv(kCudaModuleVariable, MIMUS_CUDA_MODULE_FILE, 1); }
  void TearDown() override { ::unsetenv(kCudaModuleVariable); }
};

TEST_F(CudaModule, IsLoadedAndSaysWhatItWasBuiltWith) {
  ASSERT_TRUE(has_cuda_backend());

  const CudaVersions versions = cuda_backend().versions();

  EXPECT_FALSE(versions.toolkit.empty());
  EXPECT_FALSE(versions.runtime.empty());
  EXPECT_FALSE(versions.cublas.empty());
  EXPECT_TRUE(versions.convolutions == "cuDNN" || versions.convolutions == "cuBLASLt products");
  EXPECT_EQ(versions.nccl.empty(), versions.nccl_number == 0);
}

// Thrown inside the module and caught here by its type, of which program and module each have a
// copy.
TEST_F(CudaModule, ThrowsTheProgramsOwnErrors) {
  try {
    EXPECT_FALSE(cuda_backend().devices().empty());
  } catch (const EnvironmentError& none) {
    EXPECT_EQ(none.exit_code(), ExitCode::environment);
    EXPECT_NE(std::string(none.what()).find("cudaGetDeviceCount"), std::string::npos)
        << none.what();
  }
}

}  // namespace
}  // namespace mimus::kernels
