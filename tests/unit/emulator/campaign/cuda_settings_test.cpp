// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/cuda_settings.hpp"

#include <functional>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/campaign/cuda_config.hpp"

namespace mimus::emulator {
namespace {

const kernels::GpuSpec& h100() {
  return kernels::gpu_spec("H100");
}

TEST(CudaSettings, AreTheKeysOfTheMapping) {
  std::set<std::string> keys;
  for (const auto& parameter : parameters_of(cuda_fields())) keys.insert(parameter.name);

  std::set<std::string> settings;
  for (const auto& [name, value] : cuda_settings({}, h100())) settings.insert(name);

  EXPECT_EQ(settings, keys);
}

TEST(CudaSettings, EveryKeyChangesThem) {
  using kernels::Arithmetic;
  const std::vector<std::function<void(CudaConfig&)>> changes{
      [](CudaConfig& cuda) { cuda.launches.arithmetic = Arithmetic::bf16; },
      [](CudaConfig& cuda) { cuda.launches.attention = kernels::Attention::sdpa; },
      [](CudaConfig& cuda) { cuda.launches.optimiser = kernels::OptimiserLaunches::fused; },
      [](CudaConfig& cuda) { cuda.launches.optimiser = kernels::OptimiserLaunches::per_tensor; },
      [](CudaConfig& cuda) { cuda.graphs = true; },
      [](CudaConfig& cuda) { cuda.measures_convolutions = true; },
      [](CudaConfig& cuda) { cuda.launch_gap = Duration{}; },
      [](CudaConfig& cuda) { cuda.gpus_per_device = 1; },
      [](CudaConfig& cuda) { cuda.sharing = CudaConfig::Sharing::mps; },
      [](CudaConfig& cuda) { cuda.mps_threads = 50; },
      [](CudaConfig& cuda) { cuda.mps_memory = Bytes{kGi}; },
      [](CudaConfig& cuda) { cuda.nccl_ctas = 1; },
      [](CudaConfig& cuda) { cuda.nccl_estimates = true; },
      [](CudaConfig& cuda) { cuda.kernel_trace = std::chrono::seconds{1}; }};
  std::set<std::map<std::string, std::string>> different{cuda_settings({}, h100())};

  for (const auto& change : changes) {
    CudaConfig cuda;
    change(cuda);
    different.insert(cuda_settings(cuda, h100()));
  }

  EXPECT_EQ(different.size(), changes.size() + 1);
}

TEST(CudaSettings, TheLaunchGapIsThatOfTheGpuUnlessItIsGiven) {
  CudaConfig given;
  given.launch_gap = h100().launch_gap;

  EXPECT_EQ(cuda_settings(given, h100()), cuda_settings({}, h100()));
}

}  // namespace
}  // namespace mimus::emulator
