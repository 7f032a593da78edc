// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "emulator/engine.hpp"
#include "emulator/live/engine/device_sink.hpp"

namespace mimus::emulator {

/// The interval of device samples (wall time), and the least measuring time of steps so that there
/// are samples of their activity.
inline constexpr Duration kActivityInterval = std::chrono::milliseconds{200};
inline constexpr Duration kActivitySpan = std::chrono::seconds{1};

/// What physical devices report while a point is measured: the mean activity over their samples,
/// the memory of a replica, and the kernels of a step if they were captured or traced.
class CalibrationDevices final : public DeviceSink {
 public:
  /// A measurement begins.
  void restart();
  /// Steps count from here: samples before the first `begin` belong to the start and the warm-up.
  void count_from(Instant begin) { begin_ = std::min(begin_, begin); }
  void take(const DeviceSampleMessage& sample, Instant time) override;
  void take(AttemptId attempt, JobId job, const kernels::DeviceReport& report) override;
  /// Mean since restart(); a value that no sample has is -1.
  [[nodiscard]] DeviceReading mean() const;

 private:
  static constexpr int kFigures = 3;
  std::array<double, kFigures> sums_{};
  std::array<int, kFigures> counts_{};
  double kernels_ = -1.0;
  double memory_ = -1.0;
  Instant begin_ = kNever;
};

}  // namespace mimus::emulator
