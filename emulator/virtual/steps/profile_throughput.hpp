// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "emulator/virtual/steps/step_time_estimate.hpp"

namespace mimus::emulator {

/// Measured throughput: what policies believe where the campaign names a profile
/// (`engine.profile`). Between measurements it is linear; beyond them it is the footprint model,
/// scaled as measurements near by are (MeasuredSteps).
class ProfileThroughput final : public scheduler::ThroughputEstimate {
 public:
  /// `models` must outlive this object. IoError or ConfigError when the profile does not serve.
  ProfileThroughput(const ClusterConfig& cluster, const workloads::ModelCatalogue& models,
                    const std::string& path);

  [[nodiscard]] std::string name() const override { return steps_->name(); }
  [[nodiscard]] std::optional<Duration> step_time(
      const std::string& model, const scheduler::Allocation& allocation,
      const scheduler::BatchPlan& batch) const override {
    return estimate_.step_time(model, allocation, batch);
  }

 private:
  std::unique_ptr<const StepTimeModel> steps_;
  StepTimeEstimate estimate_;
};

}  // namespace mimus::emulator
