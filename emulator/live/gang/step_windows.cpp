// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/step_windows.hpp"

#include <algorithm>
#include <utility>

namespace mimus::emulator {
namespace {
/// At most ten reports a second per gang keep rank 0 idle most of the time.
constexpr Duration kReportInterval = std::chrono::milliseconds{100};
}  // namespace

StepWindows::StepWindows(const LiveCell& cell, Duration length) : cell_(cell), length_(length) {}

void StepWindows::add(const ExecutedStep& step) {
  const bool changed = step.batch != open_.batch || step.co_tenants != open_.co_tenants;
  if (open_.steps > 0 && changed) close();
  if (open_.steps == 0) {
    open_begin_ = step.begin;
    open_.batch = step.batch;
    open_.co_tenants = step.co_tenants;
  }
  open_end_ = step.end;
  last_step_ = step.end - step.begin;
  open_.steps += step.steps;
  open_.samples += step.samples;
  open_.progress_samples += step.progress_samples;
  open_.samples_done = step.samples_done;
  open_.noise_scale = step.noise_scale;
  modelled_ += step.steps * step.modelled;
  exposed_ += step.exposed_communication;
  busy_ += step.device_busy;
  late_ += step.late;
  if (open_end_ - open_begin_ >= length_) close();
}

void StepWindows::close() {
  const auto per_step = [this](Duration wall) { return cell_.emulated(wall) / open_.steps; };
  open_.begin = cell_.emulated(open_begin_);
  open_.end = cell_.emulated(open_end_);
  open_.step_mean = (open_.end - open_.begin) / open_.steps;
  open_.step_modelled = modelled_ / open_.steps;
  open_.exposed_communication = per_step(exposed_);
  open_.device_busy = per_step(busy_);
  open_.late = per_step(late_);
  closed_.push_back(std::exchange(open_, StepWindow{}));
  exposed_ = busy_ = late_ = modelled_ = Duration{};
}

void StepWindows::expect_reports(WallInstant from) {
  if (cell_.report_every) next_expected_ = cell_.emulated(from) + *cell_.report_every;
}

/// A step that ends up to 1 % of its length later counts as in time.
bool StepWindows::is_expected(WallInstant now) const {
  return cell_.emulated(now + last_step_ * 99 / 100) > next_expected_;
}

bool StepWindows::due(WallInstant now) const {
  return is_expected(now) || (!closed_.empty() && now - last_report_ >= kReportInterval);
}

std::vector<StepWindow> StepWindows::take(WallInstant now, bool all) {
  const bool expected = is_expected(now);
  if ((all || expected) && open_.steps > 0) close();
  last_report_ = now;
  if (expected) {
    const Duration late = std::max(Duration{}, cell_.emulated(now) - next_expected_);
    next_expected_ += (late / *cell_.report_every + 1) * *cell_.report_every;
  }
  return std::exchange(closed_, {});
}

}  // namespace mimus::emulator
