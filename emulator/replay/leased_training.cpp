// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/leased_training.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::emulator {

LeasedTraining::LeasedTraining(const workloads::Job& job)
    : course_(job.course),
      first_rate_(job.rates.front().second),
      run_time_(to_seconds(job.run_time)),
      total_(job.course ? job.course->iterations : run_time_ * first_rate_) {
  look();
}

double LeasedTraining::rate_at(double rate) const {
  return course_ ? mode().rate * (rate / first_rate_) : rate;
}

double LeasedTraining::run_time_done() const {
  return course_ ? run_time_ * std::min(done_ / total_, 1.0) : done_ / first_rate_;
}

void LeasedTraining::end_lease(double iterations, double seconds) {
  if (iterations <= 0.0 && seconds <= 0.0) {
    ++failures_;
  } else {
    failures_ = 0;
    done_ += iterations;
  }
  is_complete_ = failures_ == kMostFailures || (failures_ == 0 && done_ >= total_);
  if (!course_) return;
  trained_ = seconds;
  samples_ = iterations * static_cast<double>(mode().batch);
  if (is_complete_) return;
  if (next_mode_ != mode_) change_batch();
  look();
}

/// The training keeps its number of epochs.
void LeasedTraining::change_batch() {
  const double before = iterations_of_epoch();
  const double epochs = std::ceil(total_ / before);
  const double epoch = std::ceil(done_ / before);
  const auto batch = static_cast<double>(mode().batch);
  mode_ = next_mode_;
  total_ = std::ceil(total_ * batch / static_cast<double>(mode().batch));
  if (std::ceil(total_ / iterations_of_epoch()) != epochs) {
    total_ = epochs * iterations_of_epoch();
  }
  done_ = epoch * iterations_of_epoch();
}

void LeasedTraining::look() {
  if (!course_) return;
  const auto& wanted = course_->wanted;
  const auto epoch = static_cast<std::size_t>(std::ceil(done_ / iterations_of_epoch()));
  const std::size_t towards = wanted[std::min(epoch, wanted.size() - 1)];
  next_mode_ = mode_;
  if (towards > mode_) ++next_mode_;
  if (towards < mode_) --next_mode_;
}

scheduler::EpochReport LeasedTraining::report() const {
  return {.epochs = done_ / iterations_of_epoch(),
          .iterations_left = left(),
          .mode = mode_,
          .samples = samples_,
          .trained = trained_};
}

}  // namespace mimus::emulator
