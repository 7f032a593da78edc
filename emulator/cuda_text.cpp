// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cuda_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"
#include "kernels/cuda/monitor/gpu_topology.hpp"
#include "kernels/cuda/monitor/nvml.hpp"

namespace mimus::emulator {
namespace {

using kernels::CudaDeviceInfo;
using kernels::CudaVersions;

std::string served(const CudaVersions& versions) {
  return versions.driver.empty() ? "none" : "serves CUDA " + versions.driver;
}

std::string library_line(const CudaVersions& versions) {
  return fmt::format("{} (runtime {}, cuBLASLt {}, convolutions by {} {}, for {})",
                     versions.toolkit, versions.runtime, versions.cublas, versions.convolutions,
                     versions.cudnn, versions.architectures);
}

std::string device_line(const CudaDeviceInfo& device) {
  return fmt::format("device {}: {}, {}, compute {}.{}, {} multiprocessors, {}", device.ordinal,
                     device.name, format_bytes(device.memory), device.compute_major,
                     device.compute_minor, device.multiprocessors, device.pci_bus_id);
}

/// Lists the pairs like `nvidia-smi topo -m`. NVML may not know all GPUs that CUDA shows.
std::string links_line(const kernels::cuda::Nvml& nvml,
                       const std::vector<CudaDeviceInfo>& devices) {
  std::vector<kernels::cuda::NvmlDevice> known;
  try {
    for (const auto& device : devices) known.push_back(nvml.device_at(device.pci_bus_id));
  } catch (const Error& unknown) {
    return fmt::format("links: unknown ({})", unknown.what());
  }
  std::vector<std::string> links;
  for (const auto& link : kernels::cuda::gpu_links(nvml, known)) {
    links.push_back(fmt::format("{}-{} {}", link.first, link.second, link.text()));
  }
  return fmt::format("links: {}", fmt::join(links, ", "));
}

void add_driver(std::vector<std::string>& lines, const CudaVersions& versions,
                const std::vector<CudaDeviceInfo>& devices) {
  const auto opening = kernels::cuda::Nvml::open();
  if (opening.nvml == nullptr) {
    lines.push_back(fmt::format("driver: {}; NVML: {}", served(versions), opening.reason));
    return;
  }
  const std::string driver = opening.nvml->versions().driver;
  lines.push_back(fmt::format("driver: {}, {}", driver.empty() ? "of unknown version" : driver,
                              served(versions)));
  if (devices.size() > 1) lines.push_back(links_line(*opening.nvml, devices));
}

}  // namespace

std::vector<std::string> cuda_lines() {
  try {
    const auto& backend = kernels::cuda_backend();
    const CudaVersions versions = backend.versions();
    std::vector<std::string> lines{library_line(versions)};
    std::vector<CudaDeviceInfo> devices;
    try {
      devices = backend.devices();
    } catch (const Error& none) {
      lines.push_back(fmt::format("devices: none ({})", none.what()));
    }
    std::transform(devices.begin(), devices.end(), std::back_inserter(lines), device_line);
    add_driver(lines, versions, devices);
    return lines;
  } catch (const NotCompiledError&) {
    return {"not compiled"};
  } catch (const Error& unusable) {
    return {unusable.what()};
  }
}

std::string nccl_line() {
  if (!kernels::has_cuda_backend()) return "not compiled";
  try {
    const CudaVersions versions = kernels::cuda_backend().versions();
    if (versions.nccl_header.empty()) return "not compiled";
    return fmt::format("{} (runtime {})", versions.nccl_header, versions.nccl);
  } catch (const Error&) {
    return "not usable without the CUDA module";
  }
}

}  // namespace mimus::emulator
