// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/mps_session.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/live/mpi/all_or_none.hpp"
#include "kernels/cuda/monitor/nvml.hpp"

namespace mimus::emulator {
namespace {

/// The same on all ranks of a host, and different from any other run: named after this run's rank
/// 0.
std::string folder_of(const LiveWorld& world) {
  const auto base = std::filesystem::temp_directory_path();
  return fmt::format("{}/mimus-mps-{}-{}", base.string(), ::geteuid(), world.ranks().front().pid);
}

void set(const Environment& variables) {
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
}

std::vector<std::string> device_uuids() {
  std::vector<std::string> uuids;
  const auto opening = kernels::cuda::Nvml::open();
  if (opening.nvml == nullptr) return uuids;
  for (const auto& device : opening.nvml->devices().devices) uuids.push_back(device.uuid);
  return uuids;
}

/// The daemon and the tenants must use the same device order. On hosts with different GPUs this
/// requires CUDA_DEVICE_ORDER=PCI_BUS_ID, which is NVML's order.
void name_visible_devices(const std::vector<std::string>& uuids) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr || *visible == '\0') return;
  const auto named = kernels::cuda::visible_by_uuid(visible, uuids);
  if (named) set({{"CUDA_VISIBLE_DEVICES", *named}});
}

std::size_t visible_devices(const std::vector<std::string>& uuids) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return std::max<std::size_t>(1, uuids.size());
  const std::string_view text = visible;
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
}

/// The limits of a tenant for every device, because it is not known yet which device it will use.
Environment limits_of(const CudaConfig& cuda, std::size_t devices) {
  const auto threads =
      cuda.mps_threads < 100 ? std::optional<double>(cuda.mps_threads) : std::nullopt;
  Environment all = kernels::cuda::mps_environment(threads, std::nullopt);
  for (std::size_t device = 0; device < devices; ++device) {
    for (const auto& [name, value] :
         kernels::cuda::mps_environment(std::nullopt, cuda.mps_memory, static_cast<int>(device))) {
      std::string& joined = all[name];
      joined += (joined.empty() ? "" : ",") + value;
    }
  }
  return all;
}

}  // namespace

MpsSession::MpsSession(const LiveWorld& world, const std::optional<CudaConfig>& cuda) {
  if (!cuda || cuda->sharing != CudaConfig::Sharing::mps) return;
  const std::string folder = folder_of(world);
  const std::vector<std::string> uuids = device_uuids();
  name_visible_devices(uuids);
  all_or_none(world.mpi().communicator(), [&] {
    if (world.host().local_rank() != 0) return;
    const auto program = std::filesystem::read_symlink("/proc/self/exe").string();
    server_ = std::make_unique<kernels::cuda::MpsServer>(
        kernels::cuda::MpsServer::Options{.folder = folder,
                                          .removes_folder = true,
                                          .guardian = {program, kernels::cuda::kGuardianArgument}});
  });
  set({{"CUDA_MPS_PIPE_DIRECTORY", folder + "/pipe"}, {"CUDA_MPS_LOG_DIRECTORY", folder + "/log"}});
  set(limits_of(*cuda, visible_devices(uuids)));
}

std::string mps_state(const CudaConfig& cuda) {
  const auto activity = kernels::cuda::mps_active(::getpid());
  if (!activity.is_active()) return "not active: " + activity.reason;
  if (cuda.sharing == CudaConfig::Sharing::mps) return "active";
  throw EnvironmentError(
      "engine.cuda.sharing is time_slice, but an MPS daemon that was already running serves this "
      "process (CUDA_MPS_PIPE_DIRECTORY, else /tmp/nvidia-mps), so tenants would not take turns; "
      "set CUDA_MPS_PIPE_DIRECTORY to an empty folder to run without it, end it, or set "
      "engine.cuda.sharing: mps, for which the run starts its own daemon");
}

}  // namespace mimus::emulator
