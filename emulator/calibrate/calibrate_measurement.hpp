// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "emulator/calibrate/calibrate_interval.hpp"
#include "emulator/engine.hpp"

namespace mimus::emulator {

/// What was measured of one attempt. Times are emulated seconds per optimiser step, means over the
/// steps that the interval is over.
struct Measured {
  Interval step;
  std::int64_t steps = 0;  ///< optimiser steps, where short ones ran several at a time
  bool converged = false;
  double modelled = 0.0;
  double exposed_communication = 0.0;
  double device_busy = 0.0;
  double late = 0.0;
  DeviceReading reading;
  std::string failure;  ///< why there is no measurement; "" when there is one
};

struct MeasurementLimits {
  StoppingLimits steps;
  Duration timeout{};  ///< emulated, of one measurement
  Duration least{};    ///< emulated, from the first step that counts on
};

/// Measures attempts on an engine on which nothing else runs.
class Measurement {
 public:
  /// How many steps have been measured, of the attempt that has fewest; called between events.
  using Watcher = std::function<void(std::int64_t measured)>;

  Measurement(Engine& engine, const MeasurementLimits& limits, Watcher watcher)
      : engine_(engine), limits_(limits), watcher_(std::move(watcher)) {}

  /// Starts all attempts at once and stops them when each has seen enough, or at the timeout. Only
  /// steps count during which all of the others ran beside it. An attempt ends before its time
  /// when it fails, e.g. for want of memory; then none is measured and `failure` says why.
  [[nodiscard]] std::vector<Measured> measure(std::vector<Attempt> attempts);

 private:
  Engine& engine_;
  MeasurementLimits limits_;
  Watcher watcher_;
  std::int64_t next_id_ = 0;
};

}  // namespace mimus::emulator
