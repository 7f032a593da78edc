// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "emulator/virtual/steps/step_time_estimate.hpp"

namespace mimus::emulator {

/// Measured throughput as an estimate of policies, if the campaign names a profile
/// (`engine.profile`). Between measurements it is linear; beyond them it is the footprint model,
/// scaled by near measurements (MeasuredSteps).
class ProfileThroughput final : public scheduler::ThroughputEstimate {
 public:
  /// `models` must outlive this object. Throws IoError or ConfigError if the profile cannot be
  /// used.
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
