// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/epoch_agent.hpp"

namespace mimus::scheduler {

/// The batch grows by a factor at fixed numbers of epochs, when the user's schedule would cut the
/// learning rate: AdaBatch (Devarakonda, Naumov, Garland, 2017, and their code). The learning rate
/// is then cut by that much less, so that it grows linearly with the batch relative to the
/// schedule. An epoch is one pass over the model's data set, whatever progress its samples made.
/// Deviations: the batch changes at the next report after its epoch; at the model's largest total
/// it stays, and the learning rate follows the schedule alone; samples that a job lost in a failure
/// still count.
class AdaBatch final : public EpochAgent {
 public:
  struct Settings {
    double every = 20.0;  ///< epochs, > 0
    double factor = 2.0;  ///< > 1
    Duration interval = std::chrono::seconds(30);
    LearningRate learning_rate{.rule = LearningRate::Rule::linear};
  };
  explicit AdaBatch(Settings settings) : EpochAgent(settings.interval), settings_(settings) {}
  [[nodiscard]] const LearningRate& learning_rate() const override {
    return settings_.learning_rate;
  }

 protected:
  [[nodiscard]] std::optional<std::int64_t> total(const JobView& job,
                                                  const TrainedSamples& trained) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
