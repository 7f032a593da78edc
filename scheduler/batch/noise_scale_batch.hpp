// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/agent.hpp"
#include "scheduler/batch/moving_average.hpp"

namespace mimus::scheduler {

/// The two averages whose ratio is the noise scale.
struct NoiseScaleState {
  MovingAverage squared_norm;
  MovingAverage variance;
};

/// The total batch is the gradient noise scale that the job has measured, φ = S/G, with averages of
/// both (KungFu, Mai et al., OSDI'20, §4.1 and its code; McCandlish et al., 2018). The learning
/// rate is always the user's. Deviations: the batch changes at reports, not at every step; it does
/// not change while the averages give no gradient at all, which noise can cause.
class NoiseScaleBatch final : public Agent<NoiseScaleState> {
 public:
  struct Settings {
    double decay = 0.6;  ///< of the averages, per step
    Duration interval = std::chrono::seconds(30);
    LearningRate learning_rate{.rule = LearningRate::Rule::unchanged};
  };
  explicit NoiseScaleBatch(Settings settings)
      : Agent(settings.interval, {MovingAverage(settings.decay), MovingAverage(settings.decay)}),
        settings_(settings) {}
  [[nodiscard]] const LearningRate& learning_rate() const override {
    return settings_.learning_rate;
  }

 protected:
  void learn(NoiseScaleState& state, const JobSample& sample) const override;
  [[nodiscard]] std::optional<std::int64_t> total(const JobView& job,
                                                  const NoiseScaleState& state) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
