// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/shared_library.hpp"
#include "kernels/cuda/monitor/nvml_functions.hpp"

namespace mimus::kernels::cuda {

/// A GPU as NVML knows it. NVML numbers all GPUs of the host. CUDA numbers those that
/// CUDA_VISIBLE_DEVICES allows, in its order. Both agree on the PCI bus id.
struct NvmlDevice {
  nvml_abi::Device handle = nullptr;
  int index = -1;          ///< NVML's, as nvidia-smi shows it; -1 when found by its bus id
  std::string name;        ///< e.g. "NVIDIA H200"; empty if NVML does not report it
  std::string uuid;        ///< e.g. "GPU-5a9f..."; empty if NVML does not report it
  std::string pci_bus_id;  ///< as normal_pci_bus_id() writes it; empty where NVML does not tell
};

/// The host's GPUs, and a message for each that NVML counts but this process may not see.
struct NvmlDevices {
  std::vector<NvmlDevice> devices;
  std::vector<std::string> unreachable;
};

/// Empty if NVML does not report them.
struct NvmlVersions {
  std::string driver;  ///< e.g. "580.82.07"
  std::string nvml;    ///< e.g. "13.580.82.07"
  std::string cuda;    ///< the newest CUDA the driver runs, e.g. "13.0"
};

/// NVIDIA's management library, opened at run time. Owns the library and its initialisation. Like
/// NVML it is safe to use from several threads. A child made by fork() opens its own.
class Nvml {
  struct Passkey {};  // for make_shared: only open() makes one

 public:
  struct Opening;
  /// The process's only Nvml, or the reason why there is none: no driver on the host, or a driver
  /// that does not answer. `library` is the library's name or path; "" means the environment
  /// variable MIMUS_NVML_LIBRARY, else libnvidia-ml.so.1. While an Nvml exists, every call returns
  /// that one.
  [[nodiscard]] static Opening open(const std::string& library = "");

  Nvml(Passkey, SharedLibrary library);
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  [[nodiscard]] const NvmlFunctions& functions() const { return functions_; }
  [[nodiscard]] const std::string& library() const { return library_.name(); }
  [[nodiscard]] NvmlVersions versions() const;
  [[nodiscard]] NvmlDevices devices() const;
  /// The device at `pci_bus_id`, as CUDA (cudaDeviceGetPCIBusId) or NVML writes it. Throws
  /// EnvironmentError, naming the existing bus ids, if NVML knows no device there.
  [[nodiscard]] NvmlDevice device_at(const std::string& pci_bus_id) const;
  /// `nvmlDeviceGetPowerUsage: No Permission (code 4)`, with the next step if one is known.
  [[nodiscard]] std::string explain(NvmlStatus status) const;

 private:
  [[nodiscard]] NvmlDevice describe(nvml_abi::Device handle, int index) const;

  SharedLibrary library_;
  NvmlFunctions functions_;
  bool is_initialised_ = false;
};

struct Nvml::Opening {
  std::shared_ptr<const Nvml> nvml;  ///< null when it could not be opened
  std::string reason;                ///< the reason, if it is null
};

/// Normal form `00000000:3B:00.0` of `0000:3b:00.0` or `3B:00.0`: domain of 8 digits, upper case.
/// Text that is not a bus id is returned unchanged.
[[nodiscard]] std::string normal_pci_bus_id(const std::string& text);

}  // namespace mimus::kernels::cuda
