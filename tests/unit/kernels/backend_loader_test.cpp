// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernels/cuda/backend/backend_module.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::kernels {
namespace {

template <class Expected, class Call>
std::string refusal(Call call) {
  try {
    (void)call();
  } catch (const Expected& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::environment);
    return error.what();
  }
  return "no error";
}

/// Sets the path of the module for the duration of a test.
class Module {
 public:
  explicit Module(const std::string& path) { ::setenv(kCudaModuleVariable, path.c_str(), 1); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module() { ::unsetenv(kCudaModuleVariable); }
};

TEST(CudaBackendLoader, SaysHowToGetAModuleThatWasNotBuilt) {
  const Module absent("/nowhere/libmimus_cuda.so");

  EXPECT_FALSE(has_cuda_backend());
  EXPECT_EQ(refusal<NotCompiledError>([] { return cuda_backend().versions(); }),
            "the cuda device is not compiled into this build; reconfigure with "
            "-DMIMUS_WITH_CUDA=ON where its toolkit is installed");
}

TEST(CudaBackendLoader, RefusesAFileThatIsNoModule) {
  const TemporaryFolder folder;
  folder.write("libmimus_cuda.so", "not a library\n");
  const auto path = folder.file("libmimus_cuda.so");
  const Module broken(path);

  ASSERT_TRUE(has_cuda_backend());
  const auto text = refusal<EnvironmentError>([] { return cuda_backend().versions(); });

  EXPECT_NE(text.find("the CUDA module cannot be loaded (" + path), std::string::npos) << text;
  EXPECT_NE(text.find("LD_LIBRARY_PATH"), std::string::npos) << text;
}

}  // namespace
}  // namespace mimus::kernels
