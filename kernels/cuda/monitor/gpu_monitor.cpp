// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/gpu_monitor.hpp"

#include <utility>

#include "kernels/cuda/monitor/clock_events.hpp"

namespace mimus::kernels::cuda {

GpuMonitor::GpuMonitor(std::shared_ptr<const Nvml> nvml, NvmlDevice device, Clock clock)
    : nvml_(std::move(nvml)),
      device_(std::move(device)),
      clock_(std::move(clock)),
      gpm_(nvml_, device_.handle) {}

GpuSample GpuMonitor::sample() {
  missing_.clear();
  GpuSample sample;
  sample.time = clock_();
  read_utilisation(sample);
  read_power_and_energy(sample);
  read_clocks(sample);
  sample.gpm = gpm_.sample(missing_);
  return sample;
}

bool GpuMonitor::given(const char* metric, NvmlStatus status) {
  if (!status.ok()) missing_.push_back({metric, nvml_->explain(status)});
  return status.ok();
}

void GpuMonitor::read_utilisation(GpuSample& sample) {
  nvml_abi::Utilization utilisation{};
  const NvmlStatus status = nvml_->functions().utilisation(device_.handle, &utilisation);
  if (given("sm_utilisation", status)) sample.sm_utilisation = utilisation.gpu;
  if (given("memory_utilisation", status)) sample.memory_utilisation = utilisation.memory;

  nvml_abi::Memory memory{};
  if (given("memory_used", nvml_->functions().memory(device_.handle, &memory))) {
    sample.memory_used = Bytes{static_cast<double>(memory.used)};
  }
}

void GpuMonitor::read_power_and_energy(GpuSample& sample) {
  unsigned milliwatts = 0;
  if (given("power", nvml_->functions().power(device_.handle, &milliwatts))) {
    sample.power = milliwatts / 1e3;
  }
  unsigned long long millijoules = 0;
  const NvmlStatus counter = nvml_->functions().energy(device_.handle, &millijoules);
  sample.energy = energy_.update(
      sample.time, counter.ok() ? std::optional{millijoules} : std::nullopt, sample.power);
  if (!sample.energy) missing_.push_back({"energy", why_no_energy(counter)});
}

std::string GpuMonitor::why_no_energy(NvmlStatus counter) const {
  if (energy_.counter_was_reset()) {
    return "the device's energy counter was reset since the first sample";
  }
  if (energy_.source() == EnergyMeter::Source::power) return "no power to integrate";
  const std::string reason = nvml_->explain(counter);
  if (energy_.source() == EnergyMeter::Source::counter) return reason;
  return reason + "; and no power to integrate";
}

void GpuMonitor::read_clocks(GpuSample& sample) {
  sample.sm_clock = read_clock("sm_clock", nvml_abi::kClockSm);
  sample.memory_clock = read_clock("memory_clock", nvml_abi::kClockMemory);

  unsigned degrees = 0;
  if (given("temperature",
            nvml_->functions().temperature(device_.handle, nvml_abi::kTemperatureGpu, &degrees))) {
    sample.temperature = degrees;
  }
  unsigned long long events = 0;
  if (given("clock_events", nvml_->functions().clock_events(device_.handle, &events))) {
    sample.clock_events = clock_event_names(events);
  }
}

std::optional<double> GpuMonitor::read_clock(const char* metric, nvml_abi::ClockType type) {
  unsigned megahertz = 0;
  if (!given(metric, nvml_->functions().clock(device_.handle, type, &megahertz))) {
    return std::nullopt;
  }
  return megahertz * 1e6;
}

}  // namespace mimus::kernels::cuda
