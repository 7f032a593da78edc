// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// libnvidia-ml of a driver from before the renaming of throttle reasons, GPM and the energy
// counter. It exports one GPU and few functions.
#include "kernels/cuda/monitor/nvml_abi.hpp"

using mimus::kernels::cuda::nvml_abi::Device;
using mimus::kernels::cuda::nvml_abi::Return;

extern "C" {

Return nvmlInit_v2() {
  return 0;
}
Return nvmlShutdown() {
  return 0;
}
Return nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 1;
  return 0;
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned, Device* device) {
  static int gpu = 0;
  *device = reinterpret_cast<Device>(&gpu);
  return 0;
}
Return nvmlDeviceGetPowerUsage(Device, unsigned* milliwatts) {
  *milliwatts = 100'000;
  return 0;
}
Return nvmlDeviceGetCurrentClocksThrottleReasons(Device, unsigned long long* reasons) {
  *reasons = 0x4;  // SwPowerCap
  return 0;
}

}  // extern "C"
