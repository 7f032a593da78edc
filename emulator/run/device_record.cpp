// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/device_record.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/cuda/collective/collective_bandwidth.hpp"

namespace mimus::emulator {
namespace {

const char* op_name(kernels::CollectiveOp op) {
  switch (op) {
    case kernels::CollectiveOp::all_reduce:
      return "all_reduce";
    case kernels::CollectiveOp::broadcast:
      return "broadcast";
    case kernels::CollectiveOp::all_gather:
      return "all_gather";
    case kernels::CollectiveOp::reduce_scatter:
      return "reduce_scatter";
    case kernels::CollectiveOp::all_to_all:
      return "all_to_all";
    case kernels::CollectiveOp::send_recv:
      return "send_recv";
    case kernels::CollectiveOp::transfer:
      return "transfer";
  }
  return "unknown";
}

results::CollectiveRow collective_row(const kernels::CollectiveTimes& times) {
  results::CollectiveRow row;
  row.op = op_name(times.op);
  row.bytes = times.bytes;
  row.replicas = times.replicas;
  row.operations = times.operations;
  const Duration mean = times.measured / std::max<std::int64_t>(1, times.operations);
  row.seconds_mean = to_seconds(mean);
  if (times.estimates > 0) row.seconds_estimate = to_seconds(times.estimated / times.estimates);
  const auto bandwidth = kernels::collective_bandwidth(
      times.op, Bytes{static_cast<double>(times.bytes)}, static_cast<int>(times.replicas), mean);
  row.algorithm_bandwidth = bandwidth.algorithm.value;
  row.bus_bandwidth = bandwidth.bus.value;
  return row;
}

results::KernelTimeRow kernel_row(const kernels::KernelTimes& times,
                                  const kernels::DeviceReport& report) {
  results::KernelTimeRow row;
  row.kernel_class = kernels::cuda::name(times.kernel_class);
  row.launches = times.launches;
  row.seconds = to_seconds(times.time);
  row.steps = report.traced_steps;
  row.dropped = report.dropped_kernels;
  if (report.traced_steps == 0) return row;
  const auto steps = static_cast<double>(report.traced_steps);
  row.launches_per_step = static_cast<double>(times.launches) / steps;
  row.seconds_per_step = row.seconds / steps;
  return row;
}

}  // namespace

DeviceRecord::DeviceRecord(results::Recorder& recorder, const scheduler::ClusterShape& shape,
                           std::string collective)
    : recorder_(recorder), shape_(shape), collective_(std::move(collective)) {}

results::LaterAttribute DeviceRecord::missing_values() {
  return {.name = "device_values_missing", .text_bytes = 2048};
}

void DeviceRecord::take(const DeviceSampleMessage& sample, Instant time) {
  if (finished_) return;
  const double energy = std::max(0.0, sample.row.energy);
  auto& device =
      watched_.try_emplace(sample.row.gpu, Watched{sample.time_ns, energy, {}}).first->second;
  device.last = sample;
  // Samples start at the set-up of the device, so the energy is counted from there.
  if (device.last.row.energy >= 0.0) device.last.row.energy -= device.first_energy;
  results::DeviceSampleRow row = device.last.row;
  row.time = to_seconds(time);
  recorder_.add(row);
}

void DeviceRecord::take(AttemptId attempt, JobId job, const kernels::DeviceReport& report) {
  if (finished_) return;
  const auto add = [&](auto row) {
    row.attempt = attempt.value();
    row.job = job.value();
    recorder_.add(row);
  };
  for (const auto& times : report.collectives) {
    auto row = collective_row(times);
    row.kind = collective_;
    add(row);
  }
  for (const auto& times : report.kernels) add(kernel_row(times, report));
}

void DeviceRecord::add_energy(const Watched& device) {
  const auto& last = device.last;
  results::EnergyRow row;
  row.gpu = last.row.gpu;
  row.node = shape_.node_of(GpuId{last.row.gpu}).value();
  row.host = last.row.host;
  row.device = last.row.device;
  row.span = to_seconds(Duration{last.time_ns - device.first_ns});
  row.joules = last.row.energy;
  if (row.joules >= 0.0 && row.span > 0.0) row.mean_power = row.joules / row.span;
  row.source = last.energy_source;
  recorder_.add(row);
}

void DeviceRecord::finish() {
  if (std::exchange(finished_, true)) return;
  std::map<std::string, std::vector<std::int64_t>> missing;  // devices by the values that they lack
  for (const auto& [gpu, device] : watched_) {
    add_energy(device);
    if (!device.last.missing.empty()) missing[device.last.missing].push_back(gpu);
  }
  if (missing.empty()) return;
  std::vector<std::string> sentences;
  for (const auto& [values, gpus] : missing) {
    sentences.push_back(fmt::format("GPU {}: {}", fmt::join(gpus, ", "), values));
  }
  recorder_.set_attribute(missing_values().name, fmt::format("{}", fmt::join(sentences, "; ")));
}

}  // namespace mimus::emulator
