// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// A shared library that answers like libnvidia-ml.so.1 from a state that tests set. It is written
// against nvml.h and not against Mimus's use of it: units and buffers are NVML's.
#include "tests/unit/kernels/cuda/fake_nvml.hpp"

#include <cstring>

using namespace mimus::kernels::cuda;  // NOLINT: a file of C entry points
using nvml_abi::Device;
using nvml_abi::GpmSample;
using nvml_abi::Return;

namespace {

FakeNvml& state() {
  static FakeNvml fake;
  return fake;
}

Return outcome(const char* function) {
  if (state().initialised <= 0) return 1;  // NVML_ERROR_UNINITIALIZED
  const auto found = state().failures.find(function);
  return found == state().failures.end() ? nvml_abi::kSuccess : found->second;
}

/// A handle is the device's index plus one; null is not a device.
FakeGpu& gpu_of(Device device) {
  return state().gpus.at(reinterpret_cast<std::size_t>(device) - 1);
}
Device handle_of(std::size_t place) {
  return reinterpret_cast<Device>(place + 1);
}

Return write_text(const std::string& text, char* buffer, unsigned size) {
  if (text.size() + 1 > size) return 7;  // NVML_ERROR_INSUFFICIENT_SIZE
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return nvml_abi::kSuccess;
}

template <class Value>
Return give(const char* function, Value* to, Value value) {
  const Return code = outcome(function);
  if (code == nvml_abi::kSuccess) *to = value;
  return code;
}

}  // namespace

extern "C" {

FakeNvml* mimus_fake_nvml_state() {
  return &state();
}

Return nvmlInit_v2() {
  const auto found = state().failures.find(__func__);
  if (found != state().failures.end()) return found->second;
  ++state().initialised;
  return nvml_abi::kSuccess;
}
Return nvmlShutdown() {
  if (state().initialised <= 0) return 1;
  --state().initialised;
  return nvml_abi::kSuccess;
}
const char* nvmlErrorString(Return code) {
  switch (code) {
    case nvml_abi::kNotSupported:
      return "Not Supported";
    case nvml_abi::kNoPermission:
      return "Insufficient Permissions";
    case nvml_abi::kDriverNotLoaded:
      return "Driver Not Loaded";
    case nvml_abi::kGpuIsLost:
      return "GPU is lost";
    default:
      return "Unknown Error";
  }
}
Return nvmlSystemGetDriverVersion(char* text, unsigned size) {
  const Return code = outcome(__func__);
  return code == nvml_abi::kSuccess ? write_text("580.82.07", text, size) : code;
}
Return nvmlSystemGetNVMLVersion(char* text, unsigned size) {
  const Return code = outcome(__func__);
  return code == nvml_abi::kSuccess ? write_text("13.580.82.07", text, size) : code;
}
Return nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return give(__func__, version, 12080);
}

Return nvmlDeviceGetCount_v2(unsigned* count) {
  return give(__func__, count, static_cast<unsigned>(state().gpus.size()));
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  const Return code = outcome(__func__);
  if (code != nvml_abi::kSuccess) return code;
  if (index >= state().gpus.size()) return nvml_abi::kInvalidArgument;
  *device = handle_of(index);
  return state().gpus[index].by_index;
}
Return nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, Device* device) {
  for (std::size_t i = 0; i < state().gpus.size(); ++i) {
    if (state().gpus[i].bus_id != bus_id) continue;
    *device = handle_of(i);
    return outcome(__func__);
  }
  return nvml_abi::kNotFound;
}
Return nvmlDeviceGetName(Device device, char* text, unsigned size) {
  const Return code = outcome(__func__);
  return code == nvml_abi::kSuccess ? write_text(gpu_of(device).name, text, size) : code;
}
Return nvmlDeviceGetUUID(Device device, char* text, unsigned size) {
  const Return code = outcome(__func__);
  return code == nvml_abi::kSuccess ? write_text(gpu_of(device).uuid, text, size) : code;
}
Return nvmlDeviceGetPciInfo_v3(Device device, nvml_abi::PciInfo* pci) {
  const Return code = outcome(__func__);
  if (code != nvml_abi::kSuccess) return code;
  return write_text(gpu_of(device).bus_id, pci->bus_id, sizeof pci->bus_id);
}

Return nvmlDeviceGetMemoryInfo(Device device, nvml_abi::Memory* memory) {
  return give(__func__, memory, gpu_of(device).memory);
}
Return nvmlDeviceGetUtilizationRates(Device device, nvml_abi::Utilization* utilisation) {
  return give(__func__, utilisation, gpu_of(device).utilisation);
}
Return nvmlDeviceGetPowerUsage(Device device, unsigned* milliwatts) {
  return give(__func__, milliwatts, gpu_of(device).power);
}
Return nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long* millijoules) {
  return give(__func__, millijoules, gpu_of(device).energy);
}
Return nvmlDeviceGetClockInfo(Device device, int type, unsigned* megahertz) {
  const FakeGpu& gpu = gpu_of(device);
  if (type != nvml_abi::kClockSm && type != nvml_abi::kClockMemory) return 2;
  return give(__func__, megahertz, type == nvml_abi::kClockSm ? gpu.sm_clock : gpu.memory_clock);
}
Return nvmlDeviceGetCurrentClocksEventReasons(Device device, unsigned long long* reasons) {
  return give(__func__, reasons, gpu_of(device).events);
}
Return nvmlDeviceGetTemperature(Device device, int sensor, unsigned* degrees) {
  if (sensor != nvml_abi::kTemperatureGpu) return nvml_abi::kInvalidArgument;
  return give(__func__, degrees, gpu_of(device).temperature);
}

Return nvmlDeviceGetTopologyCommonAncestor(Device, Device, nvml_abi::TopologyLevel* level) {
  return give(__func__, level, state().level);
}
Return nvmlDeviceGetNvLinkState(Device device, unsigned link, nvml_abi::EnableState* enabled) {
  const auto& links = gpu_of(device).nvlinks;
  if (link >= links.size()) return nvml_abi::kInvalidArgument;
  return give(__func__, enabled, links[link].active ? nvml_abi::kEnabled : nvml_abi::kDisabled);
}
Return nvmlDeviceGetNvLinkRemotePciInfo_v2(Device device, unsigned link, nvml_abi::PciInfo* pci) {
  const Return code = outcome(__func__);
  if (code != nvml_abi::kSuccess) return code;
  return write_text(gpu_of(device).nvlinks.at(link).remote, pci->bus_id, sizeof pci->bus_id);
}
Return nvmlDeviceGetNvLinkRemoteDeviceType(Device device, unsigned link,
                                           nvml_abi::NvLinkPeer* peer) {
  return give(__func__, peer, gpu_of(device).nvlinks.at(link).peer);
}
Return nvmlDeviceGetP2PStatus(Device, Device, int capability, nvml_abi::P2pStatus* status) {
  if (capability != nvml_abi::kP2pNvLink) return nvml_abi::kInvalidArgument;
  return give(__func__, status, state().p2p);
}

Return nvmlGpmQueryDeviceSupport(Device device, nvml_abi::GpmSupport* support) {
  if (support->version != 1) return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
  support->is_supported = gpu_of(device).has_gpm ? 1 : 0;
  return outcome(__func__);
}
Return nvmlGpmSampleAlloc(GpmSample* sample) {
  const Return code = outcome(__func__);
  if (code != nvml_abi::kSuccess) return code;
  ++state().open_gpm_samples;
  *sample = reinterpret_cast<GpmSample>(&state().gpm_samples.emplace_back(0));
  return code;
}
Return nvmlGpmSampleFree(GpmSample sample) {
  --state().open_gpm_samples;
  *reinterpret_cast<int*>(sample) = -1;
  return nvml_abi::kSuccess;
}
Return nvmlGpmSampleGet(Device, GpmSample sample) {
  const Return code = outcome(__func__);
  if (code == nvml_abi::kSuccess) *reinterpret_cast<int*>(sample) = ++state().gpm_readings;
  return code;
}
Return nvmlGpmMetricsGet(nvml_abi::GpmMetricsGet* request) {
  const Return code = outcome(__func__);
  if (code != nvml_abi::kSuccess) return code;
  if (request->version != 1) return 25;
  state().first_gpm_reading = *reinterpret_cast<int*>(request->first);
  state().second_gpm_reading = *reinterpret_cast<int*>(request->second);
  for (unsigned i = 0; i < request->metric_count; ++i) {
    auto& metric = request->metrics[i];
    const auto found = state().gpm.find(metric.id);
    const FakeGpmValue value =
        found == state().gpm.end() ? FakeGpmValue{0.0, nvml_abi::kNotSupported} : found->second;
    metric.value = value.value;
    metric.status = value.status;
  }
  return code;
}

}  // extern "C"
