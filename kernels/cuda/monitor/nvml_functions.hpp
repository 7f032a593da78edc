// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shared_library.hpp"
#include "kernels/cuda/monitor/nvml_abi.hpp"

namespace mimus::kernels::cuda {

/// The status of a call of NVML: `function` did not succeed because of `code`.
struct NvmlStatus {
  nvml_abi::Return code = nvml_abi::kSuccess;
  const char* function = "";
  [[nodiscard]] bool ok() const { return code == nvml_abi::kSuccess; }
};

template <class Signature>
class NvmlFunction;

/// One function of NVML. A driver may be too old or too new to have it.
template <class... Parameters>
class NvmlFunction<nvml_abi::Return(Parameters...)> {
 public:
  NvmlFunction(const SharedLibrary& library, const char* name, const char* older_name = nullptr)
      : name_(name), address_(library.symbol(name)) {
    if (address_ != nullptr || older_name == nullptr) return;
    name_ = older_name;
    address_ = library.symbol(older_name);
  }
  [[nodiscard]] bool exists() const { return address_ != nullptr; }
  [[nodiscard]] const char* name() const { return name_; }

  /// NVML_ERROR_FUNCTION_NOT_FOUND if the driver lacks the function.
  NvmlStatus operator()(Parameters... parameters) const {
    if (!exists()) return {nvml_abi::kFunctionNotFound, name_};
    using Address = nvml_abi::Return (*)(Parameters...);
    return {reinterpret_cast<Address>(address_)(parameters...), name_};
  }

 private:
  const char* name_;
  void* address_;
};

/// All NVML functions that Mimus calls.
struct NvmlFunctions {
  using Return = nvml_abi::Return;
  using Device = nvml_abi::Device;
  using Text = char*;

  explicit NvmlFunctions(const SharedLibrary& opened) : lib(opened) {}
  const SharedLibrary& lib;

  NvmlFunction<Return()> init{lib, "nvmlInit_v2"};
  NvmlFunction<Return()> shutdown{lib, "nvmlShutdown"};
  NvmlFunction<Return(Text, unsigned)> driver_version{lib, "nvmlSystemGetDriverVersion"};
  NvmlFunction<Return(Text, unsigned)> nvml_version{lib, "nvmlSystemGetNVMLVersion"};
  NvmlFunction<Return(int*)> cuda_version{lib, "nvmlSystemGetCudaDriverVersion_v2"};

  NvmlFunction<Return(unsigned*)> device_count{lib, "nvmlDeviceGetCount_v2"};
  NvmlFunction<Return(unsigned, Device*)> by_index{lib, "nvmlDeviceGetHandleByIndex_v2"};
  NvmlFunction<Return(const char*, Device*)> by_bus_id{lib, "nvmlDeviceGetHandleByPciBusId_v2"};
  NvmlFunction<Return(Device, Text, unsigned)> device_name{lib, "nvmlDeviceGetName"};
  NvmlFunction<Return(Device, Text, unsigned)> uuid{lib, "nvmlDeviceGetUUID"};
  NvmlFunction<Return(Device, nvml_abi::PciInfo*)> pci_info{lib, "nvmlDeviceGetPciInfo_v3"};

  NvmlFunction<Return(Device, nvml_abi::Memory*)> memory{lib, "nvmlDeviceGetMemoryInfo"};
  NvmlFunction<Return(Device, nvml_abi::Utilization*)> utilisation{lib,
                                                                   "nvmlDeviceGetUtilizationRates"};
  NvmlFunction<Return(Device, unsigned*)> power{lib, "nvmlDeviceGetPowerUsage"};
  NvmlFunction<Return(Device, unsigned long long*)> energy{lib,
                                                           "nvmlDeviceGetTotalEnergyConsumption"};
  NvmlFunction<Return(Device, nvml_abi::ClockType, unsigned*)> clock{lib, "nvmlDeviceGetClockInfo"};
  NvmlFunction<Return(Device, unsigned long long*)> clock_events{
      lib, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"};
  NvmlFunction<Return(Device, nvml_abi::TemperatureSensor, unsigned*)> temperature{
      lib, "nvmlDeviceGetTemperature"};

  NvmlFunction<Return(Device, Device, nvml_abi::TopologyLevel*)> common_ancestor{
      lib, "nvmlDeviceGetTopologyCommonAncestor"};
  NvmlFunction<Return(Device, unsigned, nvml_abi::EnableState*)> nvlink_state{
      lib, "nvmlDeviceGetNvLinkState"};
  NvmlFunction<Return(Device, unsigned, nvml_abi::PciInfo*)> nvlink_remote{
      lib, "nvmlDeviceGetNvLinkRemotePciInfo_v2"};
  NvmlFunction<Return(Device, unsigned, nvml_abi::NvLinkPeer*)> nvlink_peer{
      lib, "nvmlDeviceGetNvLinkRemoteDeviceType"};
  NvmlFunction<Return(Device, Device, nvml_abi::P2pCapability, nvml_abi::P2pStatus*)> p2p_status{
      lib, "nvmlDeviceGetP2PStatus"};

  NvmlFunction<Return(Device, nvml_abi::GpmSupport*)> gpm_support{lib, "nvmlGpmQueryDeviceSupport"};
  NvmlFunction<Return(nvml_abi::GpmSample*)> gpm_alloc{lib, "nvmlGpmSampleAlloc"};
  NvmlFunction<Return(nvml_abi::GpmSample)> gpm_free{lib, "nvmlGpmSampleFree"};
  NvmlFunction<Return(Device, nvml_abi::GpmSample)> gpm_sample{lib, "nvmlGpmSampleGet"};
  NvmlFunction<Return(nvml_abi::GpmMetricsGet*)> gpm_metrics{lib, "nvmlGpmMetricsGet"};
};

}  // namespace mimus::kernels::cuda
