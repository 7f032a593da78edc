// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "emulator/engine.hpp"
#include "emulator/live/world/live_cell.hpp"

namespace mimus::emulator {

/// One executed step, on the wall clock; `steps` optimiser steps when it was stretched.
struct ExecutedStep {
  WallInstant begin;
  WallInstant end;
  int steps = 1;
  scheduler::BatchPlan batch;
  double samples = 0.0;
  double progress_samples = 0.0;
  double samples_done = 0.0;  ///< of the job, at the end
  double noise_scale = 0.0;
  Duration modelled{};               ///< of one optimiser step, emulated
  Duration exposed_communication{};  ///< wall, of the whole executed step
  Duration device_busy{};            ///< wall, likewise
  Duration late{};                   ///< wall, likewise
  int co_tenants = 0;
};

/// Sums executed steps into windows. A window ends when its batch or co-tenants change, when it
/// has lasted long enough, or when the policy expects a report. Whole windows are reported in one
/// message.
class StepWindows {
 public:
  /// `length`: least wall time of a window; zero makes every executed step a window.
  StepWindows(const LiveCell& cell, Duration length);

  void add(const ExecutedStep& step);
  /// From the first step on, the policy expects reports at multiples of the cell's `report_every`.
  void expect_reports(WallInstant from);
  /// Whether the next step will end after the instant at which the policy expects a report.
  [[nodiscard]] bool is_expected(WallInstant now) const;
  /// True when the policy expects a report, or when there is a closed window to record and the last
  /// message is 100 ms old.
  [[nodiscard]] bool due(WallInstant now) const;
  /// Returns the closed windows; with `all`, or if the policy expects a report, also the open one.
  [[nodiscard]] std::vector<StepWindow> take(WallInstant now, bool all);

 private:
  void close();

  const LiveCell& cell_;
  Duration length_;
  StepWindow open_;
  WallInstant open_begin_{};
  WallInstant open_end_{};
  Duration last_step_{};                  ///< wall
  Duration exposed_{}, busy_{}, late_{};  ///< wall sums of the open window
  Duration modelled_{};                   ///< emulated sum over its steps
  std::vector<StepWindow> closed_;
  WallInstant last_report_{};
  Instant next_expected_ = kNever;
};

}  // namespace mimus::emulator
