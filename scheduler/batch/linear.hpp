// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/batch/batching.hpp"

namespace mimus::scheduler {

/// Weak scaling: every replica trains the model's reference batch, so the total grows with the gang
/// up to the model's largest total. With `learning_rate: linear` it is the linear scaling of Goyal
/// et al., 2017; with AdaScale's, the default, that of Johnson et al., ICML'20.
class Linear final : public Batching {
 public:
  struct Settings {
    LearningRate learning_rate{};
  };
  explicit Linear(Settings settings) : settings_(settings) {}
  [[nodiscard]] BatchPlan plan(const BatchQuery& query) const override;
  [[nodiscard]] bool chooses_batch() const override { return true; }
  [[nodiscard]] const LearningRate& learning_rate() const override {
    return settings_.learning_rate;
  }

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
