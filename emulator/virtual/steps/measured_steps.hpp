// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "emulator/virtual/steps/measured_ratios.hpp"
#include "emulator/virtual/steps/step_measurements.hpp"

namespace mimus::emulator {

/// Measured step times of jobs alone, interpolated. The footprint model gives the effect of
/// surroundings on a step. If it may not be used, interference stretches all but the exposed
/// communication. That takes longer in proportion as the gang's share of its uplinks is smaller,
/// and is all that is known of how much the gang loads them.
class MeasuredSteps final : public StepTimeModel {
 public:
  struct Settings {
    bool share_uplinks = true;
    bool count_trainings = false;  ///< an oracle takes steps left from measured trainings
    bool crowd_tenants = true;     ///< hosts count also for attempts that share a GPU
  };
  /// `otherwise`, scaled by near measurements (MeasuredRatios), is used where there is none; null
  /// to refuse. `model` gives the effect of surroundings on a step; null: a host has no effect.
  MeasuredSteps(scheduler::ClusterShape shape, std::unique_ptr<StepMeasurements> measurements,
                std::unique_ptr<StepTimeModel> otherwise, Settings settings,
                std::unique_ptr<StepTimeModel> model = nullptr);

  [[nodiscard]] std::string name() const override;
  void check(const workloads::Job& job) const override;
  [[nodiscard]] StepCost step(const Attempt& attempt,
                              const Surroundings& surroundings) const override;
  [[nodiscard]] std::optional<MeasuredNoise> noise_scale(const Attempt& attempt,
                                                         double fraction) const override {
    return measurements_->noise_scale(attempt, fraction);
  }
  [[nodiscard]] std::optional<double> steps_left(const workloads::Job& job,
                                                 double fraction) const override;
  [[nodiscard]] Duration transfers(const Attempt& attempt) const override;
  [[nodiscard]] bool shares_hosts() const override { return model_ != nullptr; }

 private:
  [[nodiscard]] StepCost solo(const Attempt& attempt) const;
  /// `cost`, changed in the proportion in which the footprint model changes.
  [[nodiscard]] StepCost as_modelled(const Attempt& attempt, StepCost cost,
                                     Surroundings surroundings) const;
  /// Measured ÷ modelled step time around the attempt; 1 where its model was never measured.
  [[nodiscard]] double ratio(const Attempt& attempt) const;
  [[nodiscard]] MeasuredRatios ratios_of(const workloads::Model& model) const;

  scheduler::ClusterShape shape_;
  std::unique_ptr<StepMeasurements> measurements_;
  std::unique_ptr<StepTimeModel> otherwise_;
  Settings settings_;
  std::unique_ptr<StepTimeModel> model_;
  mutable std::map<std::string, MeasuredRatios> ratios_;  ///< by model, when first needed
};

[[nodiscard]] Choice<StepTimeModel> measured_choice(const StepTimeInputs& inputs);

}  // namespace mimus::emulator
