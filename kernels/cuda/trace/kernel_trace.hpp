// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/time.hpp"
#include "kernels/cuda/trace/kernel_activity.hpp"
#include "kernels/device_report.hpp"

namespace mimus::kernels::cuda {

/// Traces the kernels of an attempt's first steps, except the very first, in which libraries load
/// code and choose algorithms.
class KernelTrace {
 public:
  /// `length`: wall time after which nothing is traced; zero for no trace at all.
  explicit KernelTrace(Duration length) : length_(length) {}

  /// The next run of steps is an attempt's first one.
  void restart();
  void before_run();
  /// The streams are idle again; `steps` optimiser steps were run.
  void after_run(int steps, DeviceReport& report);

 private:
  Duration length_;
  int runs_ = 0;
  Duration traced_{};
  WallInstant begin_{};
  std::optional<KernelActivity> activity_;  ///< while a run is traced
};

}  // namespace mimus::kernels::cuda
