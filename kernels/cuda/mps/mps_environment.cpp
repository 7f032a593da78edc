// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/mps/mps.hpp"

namespace mimus::kernels::cuda {
namespace {

/// `4G`, `1536M`: MPS reads whole numbers of either.
std::string memory_text(Bytes limit) {
  const double mebibytes = std::floor(limit.value / kMi);
  if (std::fmod(mebibytes, kKi) == 0) return fmt::format("{:.0f}G", mebibytes / kKi);
  return fmt::format("{:.0f}M", mebibytes);
}

}  // namespace

Environment mps_environment(std::optional<double> active_thread_percentage,
                            std::optional<Bytes> memory_limit, int device) {
  Environment variables;
  if (active_thread_percentage) {
    const double percentage = *active_thread_percentage;
    if (!(percentage > 0 && percentage <= 100)) {
      throw UsageError(
          fmt::format("{} % is no share of a GPU's threads under MPS: allowed are more "
                      "than 0 and at most 100",
                      percentage));
    }
    variables["CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"] = fmt::format("{:g}", percentage);
  }
  if (memory_limit) {
    if (!(memory_limit->value >= kMi) || !std::isfinite(memory_limit->value) || device < 0) {
      throw UsageError(
          fmt::format("{} bytes on device {} are no memory limit under MPS: allowed "
                      "are 1 MiB or more, on device 0 or above",
                      memory_limit->value, device));
    }
    variables["CUDA_MPS_PINNED_DEVICE_MEM_LIMIT"] =
        fmt::format("{}={}", device, memory_text(*memory_limit));
  }
  return variables;
}

}  // namespace mimus::kernels::cuda
