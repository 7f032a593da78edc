// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/nvml.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace mimus::kernels::cuda {
namespace {

std::string default_library() {
  const char* path = std::getenv("MIMUS_NVML_LIBRARY");
  return path != nullptr && *path != '\0' ? path : "libnvidia-ml.so.1";
}

/// The text that `query(buffer, size)` writes, or "" if it fails.
template <class Query>
std::string text_of(Query&& query) {
  std::array<char, nvml_abi::kTextBytes + 1> buffer{};
  return query(buffer.data(), nvml_abi::kTextBytes).ok() ? std::string{buffer.data()} : "";
}

/// What the user can do about an error, or "".
const char* next_step(nvml_abi::Return code) {
  switch (code) {
    case nvml_abi::kNotSupported:
      return "; this device or virtual GPU does not offer it";
    case nvml_abi::kNoPermission:
      return "; ask the administrator for access to it";
    case nvml_abi::kDriverNotLoaded:
      return "; load the driver, e.g. with nvidia-modprobe";
    case nvml_abi::kFunctionNotFound:
      return "; the driver is older than the function";
    case nvml_abi::kGpuIsLost:
      return "; see the kernel's log for Xid messages and reset the GPU";
    case nvml_abi::kLibraryVersionMismatch:
      return "; reboot after the update of the driver";
    default:
      return "";
  }
}

/// The first missing function that every query needs, or null.
const char* missing_entry_point(const SharedLibrary& library) {
  for (const char* name :
       {"nvmlInit_v2", "nvmlShutdown", "nvmlDeviceGetCount_v2", "nvmlDeviceGetHandleByIndex_v2"}) {
    if (library.symbol(name) == nullptr) return name;
  }
  return nullptr;
}

}  // namespace

Nvml::Nvml(Passkey /*key*/, SharedLibrary library)
    : library_(std::move(library)), functions_(library_) {}

Nvml::~Nvml() {
  if (is_initialised_) (void)functions_.shutdown();
}

Nvml::Opening Nvml::open(const std::string& library) {
  static std::mutex mutex;
  static std::weak_ptr<const Nvml> current;
  const std::lock_guard lock(mutex);
  if (auto nvml = current.lock()) return {std::move(nvml), ""};

  auto opened = SharedLibrary::open_first({library.empty() ? default_library() : library});
  if (!opened.is_open()) {
    return {nullptr, fmt::format("no NVIDIA driver: NVML cannot be loaded ({})", opened.reason())};
  }
  if (const char* missing = missing_entry_point(opened)) {
    return {nullptr,
            fmt::format("{} has no {}: it is not NVML, or belongs to a driver that is too old",
                        opened.name(), missing)};
  }
  const auto nvml = std::make_shared<Nvml>(Passkey{}, std::move(opened));
  const NvmlStatus status = nvml->functions_.init();
  if (!status.ok()) return {nullptr, nvml->explain(status)};
  nvml->is_initialised_ = true;
  current = nvml;
  return {nvml, ""};
}

NvmlVersions Nvml::versions() const {
  NvmlVersions versions{text_of(functions_.driver_version), text_of(functions_.nvml_version), ""};
  int cuda = 0;  // 1000 × major + 10 × minor
  if (functions_.cuda_version(&cuda).ok()) {
    versions.cuda = fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10);
  }
  return versions;
}

NvmlDevice Nvml::describe(nvml_abi::Device handle, int index) const {
  NvmlDevice device{handle, index, "", "", ""};
  device.name = text_of(
      [&](char* text, unsigned size) { return functions_.device_name(handle, text, size); });
  device.uuid =
      text_of([&](char* text, unsigned size) { return functions_.uuid(handle, text, size); });
  nvml_abi::PciInfo pci{};
  if (functions_.pci_info(handle, &pci).ok()) device.pci_bus_id = normal_pci_bus_id(pci.bus_id);
  return device;
}

NvmlDevices Nvml::devices() const {
  unsigned count = 0;
  const NvmlStatus counted = functions_.device_count(&count);
  if (!counted.ok()) throw LibraryError("NVML", counted.code, explain(counted));
  NvmlDevices result;
  for (unsigned index = 0; index < count; ++index) {
    nvml_abi::Device handle = nullptr;
    const NvmlStatus status = functions_.by_index(index, &handle);
    if (status.ok()) {
      result.devices.push_back(describe(handle, static_cast<int>(index)));
    } else {
      result.unreachable.push_back(fmt::format("GPU {}: {}", index, explain(status)));
    }
  }
  return result;
}

NvmlDevice Nvml::device_at(const std::string& pci_bus_id) const {
  const std::string wanted = normal_pci_bus_id(pci_bus_id);
  const auto [devices, unreachable] = this->devices();
  std::vector<std::string> known;
  for (const auto& device : devices) {
    if (device.pci_bus_id == wanted) return device;
    known.push_back(device.pci_bus_id);
  }
  // A device may be reachable only by its bus id, e.g. when another one has fallen off the bus.
  nvml_abi::Device handle = nullptr;
  const NvmlStatus status = functions_.by_bus_id(wanted.c_str(), &handle);
  if (status.ok()) return describe(handle, -1);
  throw EnvironmentError(fmt::format(
      "NVML knows no GPU at PCI bus id {} ({}); it sees [{}]{}{}; is this CUDA device on this host "
      "and given to this container or job?",
      wanted, explain(status), fmt::join(known, ", "), unreachable.empty() ? "" : " and not ",
      fmt::join(unreachable, ", ")));
}

std::string Nvml::explain(NvmlStatus status) const {
  if (status.code == nvml_abi::kFunctionNotFound) {
    return fmt::format("{} has no {}{}", library_.name(), status.function, next_step(status.code));
  }
  using ErrorString = const char* (*)(nvml_abi::Return);
  const auto error_string = reinterpret_cast<ErrorString>(library_.symbol("nvmlErrorString"));
  const char* text = error_string == nullptr ? nullptr : error_string(status.code);
  return fmt::format("{}: {} (code {}){}", status.function, text == nullptr ? "failed" : text,
                     status.code, next_step(status.code));
}

std::string normal_pci_bus_id(const std::string& text) {
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned device = 0;
  unsigned function = 0;
  const char* form = text.c_str();
  if (std::sscanf(form, "%x:%x:%x.%x", &domain, &bus, &device, &function) < 3) {
    domain = 0;
    function = 0;
    if (std::sscanf(form, "%x:%x.%x", &bus, &device, &function) < 2) return text;
  }
  return fmt::format("{:08X}:{:02X}:{:02X}.{:X}", domain, bus, device, function);
}

}  // namespace mimus::kernels::cuda
