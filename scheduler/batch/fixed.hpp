// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/batching.hpp"

namespace mimus::scheduler {

/// The total batch that the user asked for.
class Fixed final : public Batching {
 public:
  struct Settings {
    /// Split so that a job can measure its noise scale, see micro_batches_to_measure.
    bool measurable = false;
    LearningRate learning_rate{};
  };
  explicit Fixed(Settings settings) : settings_(settings) {}
  [[nodiscard]] BatchPlan plan(const BatchQuery& query) const override;
  [[nodiscard]] const LearningRate& learning_rate() const override {
    return settings_.learning_rate;
  }

 private:
  Settings settings_;
};

/// The user's total batch over the job's present gang.
[[nodiscard]] BatchPlan users_batch(const BatchQuery& query, bool measurable);

}  // namespace mimus::scheduler
