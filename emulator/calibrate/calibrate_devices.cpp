// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_devices.hpp"

namespace mimus::emulator {
namespace {

constexpr double kPercent = 0.01;
constexpr std::array kSampled{&results::DeviceSampleRow::sm_activity,
                              &results::DeviceSampleRow::dram_activity,
                              &results::DeviceSampleRow::tensor_activity};
constexpr std::array kReported{&DeviceReading::sm_activity, &DeviceReading::dram_activity,
                               &DeviceReading::tensor_activity};

}  // namespace

void CalibrationDevices::restart() {
  sums_ = {};
  counts_ = {};
  kernels_ = -1.0;
  memory_ = -1.0;
  begin_ = kNever;
}

void CalibrationDevices::take(const DeviceSampleMessage& sample, Instant time) {
  if (time < begin_) return;
  for (std::size_t i = 0; i < kSampled.size(); ++i) {
    const double percent = sample.row.*kSampled[i];
    if (percent < 0.0) continue;
    sums_[i] += kPercent * percent;
    ++counts_[i];
  }
}

void CalibrationDevices::take(AttemptId /*attempt*/, JobId /*job*/,
                              const kernels::DeviceReport& report) {
  if (report.held_bytes > 0) memory_ = static_cast<double>(report.held_bytes);
  if (report.graph_kernels > 0) kernels_ = static_cast<double>(report.graph_kernels);
  if (report.traced_steps == 0) return;
  std::int64_t traced = 0;
  for (const kernels::KernelTimes& times : report.kernels) {
    const bool copies = times.kernel_class == kernels::cuda::KernelClass::copy ||
                        times.kernel_class == kernels::cuda::KernelClass::memset;
    if (!copies) traced += times.launches;
  }
  kernels_ = static_cast<double>(traced) / static_cast<double>(report.traced_steps);
}

DeviceReading CalibrationDevices::mean() const {
  DeviceReading reading;
  reading.kernels = kernels_;
  reading.memory_peak = memory_;
  for (std::size_t i = 0; i < kReported.size(); ++i) {
    if (counts_[i] > 0) reading.*kReported[i] = sums_[i] / counts_[i];
  }
  return reading;
}

}  // namespace mimus::emulator
