// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/monitor/energy_meter.hpp"
#include "kernels/cuda/monitor/gpm_sampler.hpp"
#include "kernels/cuda/monitor/gpu_sample.hpp"
#include "kernels/cuda/monitor/nvml.hpp"

namespace mimus::kernels::cuda {

/// Monitors one GPU through NVML, from the host; nothing is launched on the GPU. For use by one
/// thread.
class GpuMonitor {
 public:
  using Clock = std::function<WallInstant()>;

  GpuMonitor(std::shared_ptr<const Nvml> nvml, NvmlDevice device, Clock clock = wall_now);

  /// The device's state now. Never throws for values that the device does not provide; they are
  /// absent.
  [[nodiscard]] GpuSample sample();

  /// The values that the last sample lacks, and why. Empty before the first one.
  [[nodiscard]] const std::vector<MissingMetric>& missing() const { return missing_; }
  [[nodiscard]] const NvmlDevice& device() const { return device_; }
  [[nodiscard]] EnergyMeter::Source energy_source() const { return energy_.source(); }

 private:
  /// True if `status` is a success; otherwise notes that `metric` is missing.
  [[nodiscard]] bool given(const char* metric, NvmlStatus status);
  void read_utilisation(GpuSample& sample);
  void read_power_and_energy(GpuSample& sample);
  void read_clocks(GpuSample& sample);
  [[nodiscard]] std::optional<double> read_clock(const char* metric, nvml_abi::ClockType type);
  [[nodiscard]] std::string why_no_energy(NvmlStatus counter) const;

  std::shared_ptr<const Nvml> nvml_;
  NvmlDevice device_;
  Clock clock_;
  EnergyMeter energy_;
  GpmSampler gpm_;
  std::vector<MissingMetric> missing_;
};

}  // namespace mimus::kernels::cuda
