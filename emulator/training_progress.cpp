// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/training_progress.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::emulator {

TrainingProgress::TrainingProgress(const workloads::Model& model, double samples_done,
                                   double work_samples)
    : model_(model), done_(samples_done), work_(work_samples) {}

double TrainingProgress::fraction() const {
  return work_ > 0.0 ? std::clamp(done_ / work_, 0.0, 1.0) : 1.0;
}

double TrainingProgress::noise_scale() const {
  return measured_noise_scale_ ? *measured_noise_scale_ : model_.noise_scale.at(fraction());
}

void TrainingProgress::hold_noise_scale_over(double samples, double total_batch) {
  held_noise_scale_.reset();
  const double span = std::min(samples, work_ - done_);
  const double middle = done_ + 0.5 * std::max(0.0, span - gain(total_batch));
  held_noise_scale_ = model_.noise_scale.at(std::clamp(middle / work_, 0.0, 1.0));
}

double TrainingProgress::gain(double total_batch) const {
  const auto reference = static_cast<double>(model_.batch.reference);
  const bool held = held_noise_scale_ && !measured_noise_scale_;
  const double noise = held ? *held_noise_scale_ : noise_scale();
  return total_batch * workloads::statistical_efficiency(noise, reference, total_batch);
}

std::int64_t TrainingProgress::steps_to(double target, double total_batch) const {
  const double steps = std::ceil((target - done_) / gain(total_batch) - 1e-9);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(steps, 1e15)));
}

double TrainingProgress::advance(std::int64_t steps, double total_batch) {
  const double gained = static_cast<double>(steps) * gain(total_batch);
  done_ += gained;
  return gained;
}

}  // namespace mimus::emulator
