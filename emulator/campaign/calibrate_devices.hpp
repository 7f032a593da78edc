// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "emulator/engine.hpp"
#include "emulator/live/device_sink.hpp"

namespace mimus::emulator {

/// What physical devices say while a point is measured: the mean activity over their samples.
class CalibrationDevices final : public DeviceSink {
 public:
  /// A measurement begins.
  void restart();
  void take(const DeviceSampleMessage& sample, Instant time) override;
  void take(AttemptId attempt, JobId job, const kernels::DeviceReport& report) override;
  /// Since restart(); what no sample gave is -1.
  [[nodiscard]] DeviceReading mean() const;

 private:
  static constexpr int kFigures = 3;
  std::array<double, kFigures> sums_{};
  std::array<int, kFigures> counts_{};
};

}  // namespace mimus::emulator
