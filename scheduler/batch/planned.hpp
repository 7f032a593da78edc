// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/epoch_agent.hpp"

namespace mimus::scheduler {

/// The total batch that the job's user has planned for its present epoch (JobView::batch_plan), as
/// the schedules of Accordion or of a noise scale that was measured before. A change follows the
/// first report of the job in the epoch. Jobs without a plan have their user's batch throughout.
class Planned final : public EpochAgent {
 public:
  struct Settings {
    Duration interval = std::chrono::seconds(30);
    LearningRate learning_rate{};
  };
  explicit Planned(Settings settings) : EpochAgent(settings.interval), settings_(settings) {}
  [[nodiscard]] bool follows_plans() const override { return true; }
  [[nodiscard]] const LearningRate& learning_rate() const override {
    return settings_.learning_rate;
  }

 protected:
  [[nodiscard]] std::optional<std::int64_t> total(const JobView& job,
                                                  const TrainedSamples& trained) const override;
  [[nodiscard]] std::optional<std::int64_t> at_first(const JobView& job) const override {
    return total(job, {});
  }

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
