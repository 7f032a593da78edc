// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/cuda_settings.hpp"

#include <fmt/format.h>

#include "base/time.hpp"

namespace mimus::emulator {
namespace {

const char* attention_name(kernels::Attention attention) {
  return attention == kernels::Attention::eager ? "eager" : "sdpa";
}

const char* optimiser_name(kernels::OptimiserLaunches launches) {
  if (launches == kernels::OptimiserLaunches::fused) return "fused";
  return launches == kernels::OptimiserLaunches::foreach ? "foreach" : "per_tensor";
}

std::string seconds(Duration duration) {
  return fmt::format("{:g} s", to_seconds(duration));
}

}  // namespace

std::map<std::string, std::string> cuda_settings(const CudaConfig& cuda,
                                                 const kernels::GpuSpec& gpu) {
  const auto& arithmetic = cuda.launches.arithmetic;
  const auto& devices = cuda.gpus_per_device;
  const bool mps = cuda.sharing == CudaConfig::Sharing::mps;
  return {
      {"precision", arithmetic ? kernels::name(*arithmetic) : "model"},
      {"attention", attention_name(cuda.launches.attention)},
      {"optimiser", optimiser_name(cuda.launches.optimiser)},
      {"launches", cuda.graphs ? "graph" : "eager"},
      {"convolutions", cuda.measures_convolutions ? "measured" : "heuristic"},
      {"launch_gap", seconds(cuda.launch_gap.value_or(gpu.launch_gap))},
      {"gpus_per_device", devices ? std::to_string(*devices) : "as many as it takes"},
      {"sharing", mps ? "mps" : "time_slice"},
      {"mps_threads", fmt::format("{} %", cuda.mps_threads)},
      {"mps_memory", cuda.mps_memory ? fmt::format("{:.0f} B", cuda.mps_memory->value) : "all"},
      {"nccl_ctas", cuda.nccl_ctas > 0 ? std::to_string(cuda.nccl_ctas) : "NCCL's choice"},
      {"nccl_estimates", cuda.nccl_estimates ? "true" : "false"},
      {"kernel_trace", seconds(cuda.kernel_trace)},
  };
}

}  // namespace mimus::emulator
