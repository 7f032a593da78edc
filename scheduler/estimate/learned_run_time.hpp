// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/value_domain.hpp"
#include "scheduler/estimate/profile_estimate.hpp"

namespace mimus::scheduler {

/// What jobs may have in common.
enum class JobKey { user, group, virtual_cluster, gang, model };
/// What may be named as keys.
[[nodiscard]] const Domain<JobKey>& job_keys();
[[nodiscard]] std::string value_of(const JobView& job, JobKey key);

struct RunningMean {
  double sum = 0.0;
  std::int64_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

/// Run times from jobs that have finished. Throughput and noise scale as ProfileEstimate.
class LearnedRunTime : public Estimator {
 public:
  explicit LearnedRunTime(std::shared_ptr<const ThroughputEstimate> throughput)
      : profile_(std::move(throughput)) {}

  [[nodiscard]] bool finds_run_times() const override { return true; }
  void learn(const JobView& finished, Instant now) final;
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const override;
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override;

 private:
  /// `seconds`: time with an allocation over all attempts.
  virtual void learn_run_time(const JobView& finished, double seconds, Instant now) = 0;

  ProfileEstimate profile_;
};

}  // namespace mimus::scheduler
