// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/estimate/finished_jobs.hpp"
#include "scheduler/estimate/rolling_means.hpp"

namespace mimus::scheduler {

/// Run time as Helios' QSSF believes it (Hu et al., SC'21 §4.2.2): λ P_R + (1 − λ) P_M, where P_R
/// is the mean of like jobs (RollingMeans) and P_M the prediction of boosted trees, which are
/// refitted every `refit`. Before the first fit it is P_R alone. Before the first job has finished
/// it is what the user stated.
///
/// Helios uses LightGBM on the attributes of jobs and their submission times. Here the trees are
/// BoostedTrees on the attributes in `by`, for the logarithm of the run time.
class QssfEstimate final : public LearnedRunTime {
 public:
  struct Settings {
    double rolling = 0.1;  ///< λ
    std::vector<JobKey> by{JobKey::user, JobKey::group, JobKey::virtual_cluster, JobKey::model,
                           JobKey::gang};
    Duration refit = std::chrono::hours(24);
    int trees = 50;
    int examples = 20'000;  ///< at most so many, the last ones
  };
  QssfEstimate(Settings settings, std::shared_ptr<const ThroughputEstimate> throughput);

  [[nodiscard]] std::string name() const override { return "qssf"; }
  [[nodiscard]] std::optional<Duration> run_time(const JobView& arriving) const override;
  /// P_R and P_M in one [s]; `modelled` of nothing, or not above 0, leaves P_R.
  [[nodiscard]] double blended(double rolling, std::optional<double> modelled) const;

 private:
  void learn_run_time(const JobView& finished, double seconds, Instant now) override;

  Settings settings_;
  RollingMeans means_;
  FinishedJobs finished_;
  Instant next_fit_ = kNever;
  std::optional<BoostedTrees> trees_;
};

}  // namespace mimus::scheduler
