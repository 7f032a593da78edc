// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/lane/device_sampler.hpp"

#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::emulator {
namespace {

using kernels::cuda::EnergyMeter;
using kernels::cuda::MissingMetric;

double or_missing(const std::optional<double>& value) {
  return value.value_or(-1.0);
}
template <class Quantity>
double or_missing(const std::optional<Quantity>& quantity) {
  return quantity ? quantity->value : -1.0;
}

std::string clock_events_text(const kernels::cuda::GpuSample& sample) {
  if (!sample.clock_events) return "";
  return sample.clock_events->empty() ? "none"
                                      : fmt::format("{}", fmt::join(*sample.clock_events, "+"));
}

const char* source_name(EnergyMeter::Source source) {
  switch (source) {
    case EnergyMeter::Source::counter:
      return "counter";
    case EnergyMeter::Source::power:
      return "power";
    case EnergyMeter::Source::undecided:
      break;
  }
  return "none";
}

/// Groups values that are missing for the same reason. GPUs without GPM lack nine for one reason.
std::string missing_text(const std::vector<MissingMetric>& missing) {
  std::map<std::string, std::vector<std::string>> values;
  for (const auto& [metric, reason] : missing) values[reason].push_back(metric);
  std::vector<std::string> sentences;
  for (const auto& [reason, metrics] : values) {
    sentences.push_back(fmt::format("{}: {}", fmt::join(metrics, ", "), reason));
  }
  return fmt::format("{}", fmt::join(sentences, "; "));
}

DeviceSampleMessage message_of(kernels::cuda::GpuMonitor& monitor, const SampledDevice& device) {
  const auto sample = monitor.sample();
  DeviceSampleMessage message;
  message.cell = device.cell;
  message.time_ns = (sample.time + device.clock_offset).time_since_epoch().count();
  message.row = sample_row(sample);
  message.row.gpu = device.gpu;
  message.row.host = device.host;
  message.row.device = device.device;
  message.energy_source = source_name(monitor.energy_source());
  message.missing = missing_text(monitor.missing());
  return message;
}

}  // namespace

DeviceSampler::DeviceSampler(std::shared_ptr<const kernels::cuda::Nvml> nvml,
                             kernels::cuda::NvmlDevice watched, SampledDevice device,
                             Duration interval)
    : monitor_(std::move(nvml), std::move(watched)),
      device_(std::move(device)),
      interval_(interval),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

std::vector<DeviceSampleMessage> DeviceSampler::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(samples_, {});
}

void DeviceSampler::sample_now() {
  {
    const std::lock_guard lock(mutex_);
    is_asked_ = true;
  }
  asked_.notify_one();
}

/// Samples are due at multiples of the interval. Samples that a delay has missed are left out.
void DeviceSampler::run(const std::stop_token& stop) {
  bool was_asked = false;
  WallInstant due = wall_now();
  while (!stop.stop_requested()) {
    DeviceSampleMessage message = message_of(monitor_, device_);
    message.was_asked_for = was_asked;
    const WallInstant now = wall_now();
    while (due <= now) due += interval_;
    std::unique_lock lock(mutex_);
    samples_.push_back(std::move(message));
    (void)asked_.wait_until(lock, stop, due, [this] { return is_asked_; });
    was_asked = std::exchange(is_asked_, false);
  }
}

results::DeviceSampleRow sample_row(const kernels::cuda::GpuSample& sample) {
  results::DeviceSampleRow row;
  row.sm_utilisation = or_missing(sample.sm_utilisation);
  row.memory_utilisation = or_missing(sample.memory_utilisation);
  row.memory_used = or_missing(sample.memory_used);
  row.power = or_missing(sample.power);
  row.energy = or_missing(sample.energy);
  row.sm_clock = or_missing(sample.sm_clock);
  row.memory_clock = or_missing(sample.memory_clock);
  row.temperature = or_missing(sample.temperature);
  row.sm_activity = or_missing(sample.gpm.sm_activity);
  row.sm_occupancy = or_missing(sample.gpm.sm_occupancy);
  row.tensor_activity = or_missing(sample.gpm.tensor_activity);
  row.dram_activity = or_missing(sample.gpm.dram_bandwidth);
  row.fp32_activity = or_missing(sample.gpm.fp32_activity);
  row.pcie_sent = or_missing(sample.gpm.pcie_sent);
  row.pcie_received = or_missing(sample.gpm.pcie_received);
  row.nvlink_sent = or_missing(sample.gpm.nvlink_sent);
  row.nvlink_received = or_missing(sample.gpm.nvlink_received);
  row.clock_events = clock_events_text(sample);
  return row;
}

}  // namespace mimus::emulator
