// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/nccl/nccl_collective.hpp"

namespace mimus::kernels {
namespace {

template <class Call>
std::string refusal(Call call) {
  try {
    (void)call();
  } catch (const NotCompiledError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::environment);
    return error.what();
  }
  return "no error";
}

TEST(NotCompiled, CudaDeviceSaysHowToGetIt) {
  EXPECT_EQ(refusal([] { return make_cuda_device(0); }),
            "the cuda device is not compiled into this build; reconfigure with "
            "-DMIMUS_WITH_CUDA=ON where its toolkit is installed");
}

TEST(NotCompiled, NcclCollectivesSayHowToGetThem) {
  EXPECT_EQ(refusal([] { return make_nccl_collective(MPI_COMM_SELF); }),
            "the nccl collective is not compiled into this build; reconfigure with "
            "-DMIMUS_WITH_NCCL=ON where its toolkit is installed");
}

}  // namespace
}  // namespace mimus::kernels
