// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/agent.hpp"

namespace mimus::scheduler {

/// Of all attempts, also where work was lost.
struct TrainedSamples {
  double samples = 0.0;
};

/// An agent that goes by the epochs for which its job has trained.
class EpochAgent : public Agent<TrainedSamples> {
 protected:
  explicit EpochAgent(Duration interval) : Agent(interval, {}) {}
  void learn(TrainedSamples& trained, const JobSample& sample) const final {
    const std::int64_t total = sample.batch.total(static_cast<std::size_t>(sample.gpus));
    trained.samples += static_cast<double>(sample.steps * total);
  }
  [[nodiscard]] static double epochs(const JobView& job, const TrainedSamples& trained) {
    return trained.samples / static_cast<double>(job.model.epoch_samples);
  }
};

}  // namespace mimus::scheduler
