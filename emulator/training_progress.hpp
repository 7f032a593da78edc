// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/learning_truth.hpp"
#include "workloads/models/model.hpp"

namespace mimus::emulator {

/// Progress of a job's training, in samples at its reference batch M₀. The same truth drives both
/// engines: a step with total batch M gains M·(φ + M₀)/(φ + M), where φ is the noise scale at the
/// present fraction of the work (Pollux, OSDI'21, Eq. 6), or less if the learning rate is not
/// AdaScale's (LearningTruth).
class TrainingProgress {
 public:
  TrainingProgress(const workloads::Model& model, double samples_done, double work_samples,
                   const LearningTruth& learning = {});

  [[nodiscard]] double samples_done() const { return done_; }
  [[nodiscard]] double fraction() const;
  [[nodiscard]] double noise_scale() const;  ///< φ now [samples]
  /// φ from now on, instead of the model's curve; nothing returns to the curve.
  void measure_noise_scale(std::optional<double> measured) { measured_noise_scale_ = measured; }
  /// Steps of `total_batch` gain by φ in the middle of the next hundredth of the work, until this
  /// is done. They then gain together what they would with a new φ for each. Returns until when
  /// [samples at M₀]; 0 at the reference batch, where φ does not matter.
  double hold_noise_scale(double total_batch);
  /// Gain of one step with total batch `total_batch` now [samples at M₀].
  [[nodiscard]] double gain(double total_batch) const;
  /// Steps needed to reach `target` samples at the present gain, at least 1; without a gain the
  /// steps until the training has diverged.
  [[nodiscard]] std::int64_t steps_to(double target, double total_batch) const;
  /// Takes `steps` steps at the present gain and returns what they gained.
  double advance(std::int64_t steps, double total_batch);
  /// As steps_to() and advance(), but for any number of steps: with hold_noise_scale() wherever a
  /// hundredth of the work is done.
  [[nodiscard]] std::int64_t all_steps_to(double target, double total_batch) const;
  double advance_all(std::int64_t steps, double total_batch);
  [[nodiscard]] bool finished() const;
  /// True once kStepsToDiverge steps in a row have gained nothing.
  [[nodiscard]] bool diverged() const { return steps_in_vain_ >= kStepsToDiverge; }

 private:
  const workloads::Model& model_;
  LearningTruth learning_;
  double done_;
  double work_;
  std::optional<double> measured_noise_scale_;
  struct Held {
    double noise_scale;
    double samples_done;  ///< in the middle
    double until;
  };
  std::optional<Held> held_;
  std::int64_t steps_in_vain_ = 0;  ///< in a row
};

}  // namespace mimus::emulator
