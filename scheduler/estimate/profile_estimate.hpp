// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/estimate/estimator.hpp"

namespace mimus::scheduler {

/// Throughput from a profile that was handed in, noise scale as the job's own agent reports it.
class ProfileEstimate final : public Estimator {
 public:
  /// `throughput` may be null while a configuration is only checked; ready() is false then.
  explicit ProfileEstimate(std::shared_ptr<const ThroughputEstimate> throughput);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool ready() const override { return throughput_ != nullptr; }
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const override;
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override;

 private:
  std::shared_ptr<const ThroughputEstimate> throughput_;
};

}  // namespace mimus::scheduler
