// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "emulator/calibrate/calibrate_interval.hpp"
#include "emulator/engine.hpp"

namespace mimus::emulator {

/// The measured values of one attempt. Times are emulated seconds per optimiser step, as means over
/// the steps of the interval.
struct Measured {
  Interval step;
  std::int64_t steps = 0;  ///< optimiser steps, even if short ones ran several at a time
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
  Duration least{};    ///< emulated, counted from the first step that counts
};

/// Measures attempts on an engine on which nothing else runs.
class Measurement {
 public:
  /// Number of measured steps of the attempt that has fewest; called between events.
  using Watcher = std::function<void(std::int64_t measured)>;

  Measurement(Engine& engine, const MeasurementLimits& limits, Watcher watcher)
      : engine_(engine), limits_(limits), watcher_(std::move(watcher)) {}

  /// Starts all attempts at once and stops them when each has enough steps, or at the timeout. Only
  /// steps count during which all the others ran beside it. If an attempt ends early because it
  /// fails, e.g. out of memory, none is measured and `failure` says why.
  [[nodiscard]] std::vector<Measured> measure(std::vector<Attempt> attempts);

 private:
  Engine& engine_;
  MeasurementLimits limits_;
  Watcher watcher_;
  std::int64_t next_id_ = 0;
};

}  // namespace mimus::emulator
