// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/estimate/finished_jobs.hpp"

namespace mimus::scheduler {

/// Run time by a regression tree on what jobs have in common, the estimate of Alibaba PAI (Weng et
/// al., NSDI'22 §5.3). The tree is grown from the last jobs that finished, every `refit`. Its
/// answer is e to the mean of the logarithms in the job's leaf. A job of a group that the tree has
/// not seen gets this mean of its group, its user or all jobs, the first that is known. Before the
/// first job has finished it is what the user stated.
///
/// The paper names user, group and resources as inputs, not how they are encoded nor how large a
/// tree may grow: those are Mimus's. Resources are GPUs only.
class TreeEstimate final : public LearnedRunTime {
 public:
  struct Settings {
    std::vector<JobKey> by{JobKey::user, JobKey::group, JobKey::model, JobKey::gang};
    Duration refit = std::chrono::hours(24);
    int max_depth = 10;
    int min_leaf = 5;
    int examples = 20'000;  ///< at most so many, the last ones
  };
  TreeEstimate(Settings settings, std::shared_ptr<const ThroughputEstimate> throughput);

  [[nodiscard]] std::string name() const override { return "tree"; }
  [[nodiscard]] std::optional<Duration> run_time(const JobView& arriving) const override;

 private:
  void learn_run_time(const JobView& finished, double seconds, Instant now) override;

  Settings settings_;
  FinishedJobs finished_;
  Instant next_fit_ = kNever;
  std::optional<RegressionTree> tree_;
  std::map<std::string, RunningMean> groups_, users_;  ///< of logarithms of run times [ln s]
  RunningMean all_;
};

}  // namespace mimus::scheduler
