// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/estimate/profile_estimate.hpp"

namespace mimus::scheduler {

/// The true run time, for policies whose paper assumes that it is known. Throughput and noise scale
/// as ProfileEstimate.
class OracleEstimate final : public Estimator {
 public:
  /// `oracle` may be null while a configuration is only checked; ready() is false then.
  OracleEstimate(std::shared_ptr<const Oracle> oracle,
                 std::shared_ptr<const ThroughputEstimate> throughput);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool finds_run_times() const override { return true; }
  [[nodiscard]] bool asks_oracle() const override { return true; }
  [[nodiscard]] bool ready() const override { return oracle_ != nullptr; }
  [[nodiscard]] std::optional<Duration> run_time(const JobView& arriving) const override;
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const override;
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override;

 private:
  std::shared_ptr<const Oracle> oracle_;
  ProfileEstimate profile_;
};

}  // namespace mimus::scheduler
