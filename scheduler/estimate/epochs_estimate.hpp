// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "scheduler/estimate/alike_epochs.hpp"
#include "scheduler/estimate/estimator.hpp"
#include "scheduler/fit/size_table.hpp"

namespace mimus::scheduler {

/// What ONES knows of jobs (Bian et al., SC'21 §4): the throughput of a job by its number of GPUs,
/// with the batch that it has on that number (SizeTable), and the epochs left as in similar
/// finished trainings (AlikeEpochs). Samples beside co-tenants do not count for throughput. The
/// noise scale is the one that a job measured last.
class EpochsEstimate final : public Estimator {
 public:
  struct Settings {
    Duration interval = std::chrono::seconds(10);
  };
  explicit EpochsEstimate(Settings settings) : settings_(settings) {}

  [[nodiscard]] std::string name() const override { return "epochs"; }
  [[nodiscard]] Duration sample_interval() const override { return settings_.interval; }
  void observe(const JobView& job, const JobSample& sample) override;
  void learn(const JobView& finished, Instant now) override;
  void left(const JobView& job) override;
  [[nodiscard]] std::optional<double> throughput(const JobView& job, const Allocation& allocation,
                                                 const BatchPlan& batch) const override;
  [[nodiscard]] StepRate rate_on(const JobView& job, GpuSpread spread) const override;
  [[nodiscard]] std::optional<double> noise_scale(const JobView& job) const override;
  [[nodiscard]] std::optional<double> samples_left(const JobView& job) const override;

 private:
  Settings settings_;
  std::map<JobId, SizeTable> tables_;
  AlikeEpochs epochs_;
};

}  // namespace mimus::scheduler
