// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/virtual_training.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

/// Steps that end within this fraction of a step from now count as ended. Otherwise rounding to
/// nanoseconds could cost a whole step.
constexpr double kSameBoundary = 1e-6;
/// Part of a step by which it may end after the instant at which a report is due, as in live runs.
constexpr double kSameStep = 0.01;
constexpr double kNanosecondsPerSecond = 1e9;

}  // namespace

VirtualTraining::VirtualTraining(const Attempt& attempt, const StepTimeModel& steps,
                                 Duration report_every)
    : attempt_(attempt),
      steps_(steps),
      replicas_(std::max<std::size_t>(1, attempt.allocation.slots.size())),
      work_(attempt.work_samples),
      fail_at_(attempt.fail_at_samples),
      report_every_(report_every),
      batch_(attempt.batch) {
  if (attempt.model == nullptr) return;
  progress_.emplace(*attempt.model, attempt.samples_done, attempt.work_samples, attempt.learning);
  reference_batch_ = static_cast<double>(attempt.model->batch.reference);
}

double VirtualTraining::total_batch() const {
  return static_cast<double>(batch_.total(replicas_));
}

double VirtualTraining::target() const {
  return fail_at_ >= 0.0 ? std::min(work_, fail_at_) : work_;
}

double VirtualTraining::samples_done() const {
  return counts_run_time() ? attempt_.samples_done + to_seconds(run_time_)
                           : progress_->samples_done();
}

double VirtualTraining::whole_units_at(Instant now) const {
  const double units = units_done_ + static_cast<double>((now - since_).count()) / unit_ns_;
  return std::max(0.0, std::floor(units + kSameBoundary));
}

double VirtualTraining::samples_done_at(Instant now) const {
  const double whole = whole_units_at(now);
  if (counts_run_time()) return samples_done() + whole / kNanosecondsPerSecond;
  return progress_->samples_done() + whole * progress_->gain(total_batch());
}

void VirtualTraining::set_cost(const StepCost& cost) {
  cost_ = cost;
  units_at_cost_ = units_done_;
  unit_ns_ =
      static_cast<double>(cost.step.count()) / (counts_run_time() ? kNanosecondsPerSecond : 1.0);
}

void VirtualTraining::begin(Instant now, const StepCost& cost, int co_tenants) {
  pauses_ = false;
  window_.begin = now;
  window_.co_tenants = co_tenants_ = co_tenants;
  const double begun = units_done_;
  set_cost(cost);
  const bool is_first = next_report_ == kNever;
  if (is_first && report_every_ > Duration::zero()) next_report_ = now + report_every_;
  plan_stretch(now, begun);
  if (is_commanded()) end_with_step(now);  // while a checkpoint was written
}

bool VirtualTraining::is_commanded() const {
  return asked_stop_ || asked_suspension_ || asked_checkpoint_ || asked_batch_;
}

void VirtualTraining::change(Instant now, const StepCost& cost, int co_tenants) {
  const bool other_neighbours = co_tenants > 0 || co_tenants_ > 0;
  if (other_neighbours) end_window_before(now);
  settle(now);
  const bool in_a_step = !counts_run_time() && units_done_ > kSameBoundary;
  if (other_neighbours && in_a_step) {
    between_neighbours_ = true;
    end_at_boundary(now);
  }
  window_.co_tenants = in_a_step ? std::max(window_.co_tenants, co_tenants) : co_tenants;
  co_tenants_ = co_tenants;
  set_cost(cost);
  units_ = std::min(units_, units_until_report());
}

/// Closes the window at the last step boundary, unless the cost has changed during the step under
/// way. The time up to that boundary is then no longer known.
void VirtualTraining::end_window_before(Instant now) {
  const double whole = whole_units_at(now);
  if (whole < units_at_cost_ - kSameBoundary) return;
  const Duration past{std::llround((whole - units_done_) * unit_ns_)};
  settle(std::min(since_ + past, now));  // may be before the last settled instant, at the same cost
  const Instant boundary = since_;
  take_units(static_cast<std::int64_t>(whole));
  units_ -= static_cast<std::int64_t>(whole);
  units_done_ -= whole;
  units_at_cost_ = units_done_;
  if (window_.samples > 0.0) close_window(boundary);
}

std::int64_t VirtualTraining::units_to_target() const {
  if (counts_run_time()) {
    return std::max<std::int64_t>(0, from_seconds(target() - samples_done()).count());
  }
  return progress_->steps_to(target(), total_batch());
}

/// From the beginning of the present stretch, of which `units_done_` have passed.
std::int64_t VirtualTraining::units_until_report() const {
  constexpr double kMost = 9e18;
  if (next_report_ == kNever) return static_cast<std::int64_t>(kMost);
  const double units =
      units_done_ + static_cast<double>((next_report_ - since_).count()) / unit_ns_;
  return static_cast<std::int64_t>(std::clamp(std::floor(units + kSameStep), 1.0, kMost));
}

void VirtualTraining::note_report(Instant now) {
  if (next_report_ == kNever) return;
  const auto left = static_cast<double>((next_report_ - now).count());
  if (left >= (1.0 - kSameStep) * unit_ns_) return;
  reports_ = true;
  const Duration late = std::max(Duration{}, now - next_report_);
  next_report_ += (late / report_every_ + 1) * report_every_;
}

/// A value of the noise scale from the model's curve holds for its share of the work, however often
/// reports are made. The recording interval must not change how long a training takes.
void VirtualTraining::take_noise_scale() {
  const auto measured = steps_.noise_scale(attempt_, progress_->fraction());
  progress_->measure_noise_scale(measured ? std::optional(measured->scale) : std::nullopt);
  noise_until_ =
      measured ? measured->until_fraction * work_ : progress_->hold_noise_scale(total_batch());
}

void VirtualTraining::plan_stretch(Instant now, double done) {
  since_ = now;
  units_done_ = units_at_cost_ = done;
  if (!counts_run_time()) take_noise_scale();
  units_ = std::min(units_to_target(), units_until_report());
  // At the reference batch the noise scale does not matter.
  if (!counts_run_time() && total_batch() != reference_batch_) {
    units_ = std::min(units_, progress_->steps_to(noise_until_, total_batch()));
  }
  if (asked_suspension_ || asked_checkpoint_) units_ = 0;  // a new batch came first
}

/// Counts the work done at the present cost.
void VirtualTraining::settle(Instant now) {
  const double units = static_cast<double>((now - since_).count()) / unit_ns_;
  const double steps = counts_run_time() ? units / kNanosecondsPerSecond : units;
  spent_.stepping += now - since_;
  spent_.solo += scale(solo_step_, steps);
  spent_.exposed += scale(cost_.exposed_communication, steps);
  spent_.busy += scale(cost_.device_busy, steps);
  units_done_ += units;
  since_ = now;
}

void VirtualTraining::end_at_boundary(Instant now) {
  if (pauses_) return;
  settle(now);
  const auto begun = static_cast<std::int64_t>(std::ceil(units_done_ - kSameBoundary));
  units_ = std::clamp<std::int64_t>(begun, 0, units_);
}

void VirtualTraining::end_with_step(Instant now) {
  if (pauses_) return;
  end_at_boundary(now);
  const double left = static_cast<double>(units_) - units_done_;
  if (!counts_run_time() && left <= kSameBoundary) units_ = std::min(units_ + 1, units_to_target());
}

void VirtualTraining::ask_other_rate(Instant now) {
  asked_batch_ = asked_batch_.value_or(batch_);
  end_at_boundary(now);
}

void VirtualTraining::ask_suspension(Instant now) {
  asked_suspension_ = true;
  end_with_step(now);
}

void VirtualTraining::ask_checkpoint(Instant now) {
  asked_checkpoint_ = true;
  end_with_step(now);
}

void VirtualTraining::ask_batch(Instant now, const scheduler::BatchPlan& batch) {
  asked_batch_ = batch;
  end_with_step(now);
}

Instant VirtualTraining::stretch_end() const {
  const double left = (static_cast<double>(units_) - units_done_) * unit_ns_;
  if (left >= static_cast<double>((kNever - since_).count())) {
    throw Error(ExitCode::run_failed, fmt::format("job {} would run beyond the range of the clock, "
                                                  "292 years: check its samples or run time",
                                                  attempt_.job.value()));
  }
  return since_ + Duration{std::max<std::int64_t>(0, std::llround(left))};
}

bool VirtualTraining::ends_attempt() const {
  return asked_stop_ || units_ >= units_to_target();
}

void VirtualTraining::take_units(std::int64_t units) {
  if (units == 0) return;
  if (counts_run_time()) {
    const double seconds = to_seconds(Duration{units});
    run_time_ += Duration{units};
    window_.samples += seconds;
    window_.progress_samples += seconds;
    return;
  }
  window_.steps += units;
  window_.samples += static_cast<double>(units) * total_batch();
  window_.progress_samples += progress_->advance(units, total_batch());
}

VirtualTraining::Outcome VirtualTraining::advance() {
  const Instant now = stretch_end();
  settle(now);
  // The present instant is a whole nanosecond. If what it is before or after the boundary were
  // dropped, every report under a slowdown would gain or lose some.
  const double begun = units_done_ - static_cast<double>(units_);
  take_units(units_);
  const bool reached = samples_done() >= target() - 1e-6 * (counts_run_time() ? 1e-3 : 1.0);
  if (reached && fail_at_ >= 0.0 && fail_at_ < work_) return Outcome::failed;
  if (reached) return Outcome::finished;
  if (progress_ && progress_->diverged()) return Outcome::diverged;
  if (asked_stop_) return Outcome::stopped;
  const bool retuned = asked_batch_.has_value();
  if (retuned) {
    if (window_.samples > 0.0) close_window(now);  // its steps had the previous batch
    batch_ = *asked_batch_;
    asked_batch_.reset();
  }
  if (!retuned && (asked_checkpoint_ || asked_suspension_)) {
    units_done_ = begun;
    pauses_ = true;
    if (std::exchange(asked_checkpoint_, false)) return Outcome::saves;
    asked_suspension_ = false;
    return Outcome::suspended;
  }
  note_report(now);
  plan_stretch(now, begun);
  return retuned ? Outcome::retuned : Outcome::goes_on;
}

void VirtualTraining::cut_off(Instant now) {
  end_window_before(now);
  settle(now);
  take_units(static_cast<std::int64_t>(whole_units_at(now)));
}

}  // namespace mimus::emulator
