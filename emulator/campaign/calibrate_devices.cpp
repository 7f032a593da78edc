// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/calibrate_devices.hpp"

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
}

void CalibrationDevices::take(const DeviceSampleMessage& sample, Instant /*time*/) {
  for (std::size_t i = 0; i < kSampled.size(); ++i) {
    const double percent = sample.row.*kSampled[i];
    if (percent < 0.0) continue;
    sums_[i] += kPercent * percent;
    ++counts_[i];
  }
}

void CalibrationDevices::take(AttemptId /*attempt*/, JobId /*job*/,
                              const kernels::DeviceReport& /*report*/) {}

DeviceReading CalibrationDevices::mean() const {
  DeviceReading reading;
  for (std::size_t i = 0; i < kReported.size(); ++i) {
    if (counts_[i] > 0) reading.*kReported[i] = sums_[i] / counts_[i];
  }
  return reading;
}

}  // namespace mimus::emulator
