// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/training_progress.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::emulator {

TrainingProgress::TrainingProgress(const workloads::Model& model, double samples_done,
                                   double work_samples, const LearningTruth& learning)
    : model_(model), learning_(learning), done_(samples_done), work_(work_samples) {}

double TrainingProgress::fraction() const {
  return work_ > 0.0 ? std::clamp(done_ / work_, 0.0, 1.0) : 1.0;
}

double TrainingProgress::noise_scale() const {
  return measured_noise_scale_ ? *measured_noise_scale_ : model_.noise_scale.at(fraction());
}

void TrainingProgress::hold_noise_scale_over(double samples, double total_batch) {
  held_.reset();
  const double span = std::min(samples, work_ - done_);
  const double middle = done_ + 0.5 * std::max(0.0, span - gain(total_batch));
  held_ = {model_.noise_scale.at(std::clamp(middle / work_, 0.0, 1.0)), middle};
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
  const double steps = std::ceil((target - done_) / each - 1e-9);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(steps, 1e15)));
}

double TrainingProgress::advance(std::int64_t steps, double total_batch) {
  const double gained = static_cast<double>(steps) * gain(total_batch);
  done_ += gained;
  steps_in_vain_ = gained > 0.0 ? 0 : steps_in_vain_ + steps;
  return gained;
}

}  // namespace mimus::emulator
