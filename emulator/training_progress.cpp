// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/training_progress.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::emulator {
namespace {

/// The model's noise scale is treated as constant over this share of the work.
constexpr double kNoiseResolution = 0.01;
/// Less than this part of a step is not worth another one.
constexpr double kSameBoundary = 1e-6;
/// What rounding may leave of some work [samples at M₀].
constexpr double kNoWork = 1e-6;

}  // namespace

TrainingProgress::TrainingProgress(const workloads::Model& model, double samples_done,
                                   double work_samples, const LearningTruth& learning)
    : model_(model), learning_(learning), done_(samples_done), work_(work_samples) {}

double TrainingProgress::fraction() const {
  return work_ > 0.0 ? std::clamp(done_ / work_, 0.0, 1.0) : 1.0;
}

bool TrainingProgress::finished() const {
  return done_ >= work_ - kNoWork;
}

double TrainingProgress::noise_scale() const {
  return measured_noise_scale_ ? *measured_noise_scale_ : model_.noise_scale.at(fraction());
}

double TrainingProgress::hold_noise_scale(double total_batch) {
  if (total_batch == static_cast<double>(model_.batch.reference)) {
    held_.reset();
    return 0.0;
  }
  if (held_ && held_->until - done_ > kSameBoundary * gain(total_batch)) return held_->until;
  const double until = done_ + kNoiseResolution * work_;
  held_.reset();
  const double span = std::min(kNoiseResolution * work_, work_ - done_);
  const double middle = done_ + 0.5 * std::max(0.0, span - gain(total_batch));
  held_ = {model_.noise_scale.at(std::clamp(middle / work_, 0.0, 1.0)), middle, until};
  return until;
}

double TrainingProgress::gain(double total_batch) const {
  const auto reference = static_cast<double>(model_.batch.reference);
  const bool held = held_ && !measured_noise_scale_;
  return learning_.gain(held ? held_->noise_scale : noise_scale(), reference, total_batch,
                        held ? held_->samples_done : done_);
}

std::int64_t TrainingProgress::steps_to(double target, double total_batch) const {
  const double each = gain(total_batch);
  if (each <= 0.0) return std::max<std::int64_t>(1, kStepsToDiverge - steps_in_vain_);
  const double steps = std::ceil((target - done_ - kNoWork) / each - 1e-9);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(steps, 1e15)));
}

double TrainingProgress::advance(std::int64_t steps, double total_batch) {
  const double gained = static_cast<double>(steps) * gain(total_batch);
  done_ += gained;
  steps_in_vain_ = gained > 0.0 ? 0 : steps_in_vain_ + steps;
  return gained;
}

std::int64_t TrainingProgress::all_steps_to(double target, double total_batch) const {
  TrainingProgress ahead = *this;
  std::int64_t steps = 0;
  do {
    const double held_until = ahead.hold_noise_scale(total_batch);
    const double until = held_until > 0.0 ? std::min(target, held_until) : target;
    const std::int64_t part = ahead.steps_to(until, total_batch);
    ahead.advance(part, total_batch);
    steps += part;
  } while (ahead.done_ < target - kNoWork && !ahead.diverged());
  return steps;
}

double TrainingProgress::advance_all(std::int64_t steps, double total_batch) {
  double gained = 0.0;
  while (steps > 0) {
    const double until = hold_noise_scale(total_batch);
    const std::int64_t part = until > 0.0 ? std::min(steps, steps_to(until, total_batch)) : steps;
    gained += advance(part, total_batch);
    steps -= part;
  }
  return gained;
}

}  // namespace mimus::emulator
