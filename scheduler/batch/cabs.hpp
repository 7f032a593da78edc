// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/agent.hpp"
#include "scheduler/batch/moving_average.hpp"

namespace mimus::scheduler {

/// What CABS keeps about a job, with the initial values of its code.
struct CabsState {
  MovingAverage variance;
  MovingAverage loss;
  double learning_rate = 0.0;
};

/// Coupled adaptive batch sizes: m = c × learning rate × gradient variance / loss, clipped (Balles,
/// Romero, Hennig, UAI'17, Eq. 8, and their code: moving averages, c = 1, 16 to 2,048 samples). The
/// learning rate is always the user's. The rule assumes that the least loss is zero. Deviations:
/// the batch changes at reports, not at every step; a job begins with its user's batch.
class Cabs final : public Agent<CabsState> {
 public:
  struct Settings {
    double factor = 1.0;      ///< c, > 0
    std::int64_t least = 16;  ///< samples
    std::int64_t most = 2048;
    double decay = 0.95;  ///< of the averages, per step
    Duration interval = std::chrono::seconds(30);
    LearningRate learning_rate{.rule = LearningRate::Rule::unchanged};
  };
  explicit Cabs(Settings settings);
  [[nodiscard]] const LearningRate& learning_rate() const override {
    return settings_.learning_rate;
  }
  /// c × learning rate × variance / loss, as a real number.
  [[nodiscard]] double batch(double learning_rate, double variance, double loss) const;

 protected:
  void learn(CabsState& state, const JobSample& sample) const override;
  [[nodiscard]] std::optional<std::int64_t> total(const JobView& job,
                                                  const CabsState& state) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
