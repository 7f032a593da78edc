// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/cuda_place.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {

CudaPlace cuda_place(const HostGpu& gpu, int devices, std::optional<int> gpus_per_device) {
  if (devices < 1) {
    throw EnvironmentError(
        "engine.device is cuda, but this host has no CUDA device that the process may see; check "
        "nvidia-smi and CUDA_VISIBLE_DEVICES, or set engine.device: cpu");
  }
  const int shared = (gpu.count + devices - 1) / devices;
  if (gpus_per_device && shared > *gpus_per_device) {
    throw EnvironmentError(fmt::format(
        "this host serves {} GPUs of the cluster with {} CUDA devices, so up to {} would share "
        "one, "
        "but engine.cuda.gpus_per_device is {}; use more hosts, a smaller cluster, or raise it",
        gpu.count, devices, shared, *gpus_per_device));
  }
  return {.ordinal = gpu.index / shared, .gpus = shared};
}

HostGpu host_gpu(const std::vector<std::string>& hosts, int rank, int lanes, int gpus) {
  const auto host_of = [&](int gpu) { return hosts[static_cast<std::size_t>(1 + gpu * lanes)]; };
  const int own = (rank - 1) / lanes;
  HostGpu found{.index = 0, .count = 0};
  for (int gpu = 0; gpu < gpus; ++gpu) {
    if (host_of(gpu) != host_of(own)) continue;
    if (gpu < own) ++found.index;
    ++found.count;
  }
  return found;
}

}  // namespace mimus::emulator
