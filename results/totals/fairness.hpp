// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "results/schema/rows.hpp"
#include "results/totals/class_totals.hpp"

namespace mimus::results {

/// The mean number of jobs in the system over the life of each job. Arrivals and departures must be
/// given in order of time.
class ActiveJobs {
 public:
  /// ∫ active dt up to this time [job s].
  double arrived(double time);
  /// The job that arrived at `arrival`, with the integral `before` it, leaves [s].
  double left(double before, double arrival, double end);

 private:
  void advance(double time);

  double active_ = 0;
  double integral_ = 0;
  double now_ = 0;
};

/// The same for each row, in order. A job that has not left counts to the end.
[[nodiscard]] std::vector<double> mean_active(const std::vector<JobRow>& jobs);

/// Finish-time fairness ρ = T_shared ÷ T_isolated (Mahajan et al., Themis, NSDI 2020), where
///
///     T_shared   = end − arrival
///     T_isolated = service ÷ min(C ÷ N, demand)
///
/// with C the GPUs of the cluster, N the mean number of jobs in the system during the job's life,
/// and demand the GPUs that it asks for. ρ ≤ 1 means that it would not have been better off with
/// its own share. `service` is the time it would have taken alone on its GPUs [GPU s]: its time on
/// them minus the time lost to co-tenants, Σ over `pairs` of (end − begin)·(1 − 1 ÷
/// slowdown)·replicas. Start-ups, checkpoints and lost work count as service, so under preemption ρ
/// is a lower bound.
///
/// Baselines of slowdowns are measured after the jobs, so 28 bytes of each finished job are kept
/// until then. Single precision is enough, because an error of a millionth decides nothing.
class Fairness {
 public:
  void add(const JobRow& row, double mean_active);
  void add(const PairRow& row);

  /// Calls `act(FairnessRow)` for each finished job on a cluster of this number of GPUs; 0: not
  /// known.
  template <class Act>
  void each(double gpus, Act act) const {
    for (const Job& job : jobs_) act(row_of(job, gpus));
  }
  /// What co-tenants cost a job.
  [[nodiscard]] double lost_gpu_seconds(std::int64_t job) const {
    const auto found = lost_.find(job);
    return found == lost_.end() ? 0.0 : found->second.gpu_seconds;
  }
  /// Calls `act(ClassedRun)` for each finished job.
  template <class Act>
  void each_run(Act act) const {
    for (const Job& job : jobs_) act(run_of(job));
  }

 private:
  struct Job {
    std::uint32_t id = 0;
    float jct = 0, running = 0, on_gpus = 0, gang = 0, share = 0, mean_active = 0;
    bool opportunistic = false;
  };
  struct Lost {
    double seconds = 0;
    double slow_seconds = 0;  ///< beside others that slowed it noticeably
    double gpu_seconds = 0;
  };
  [[nodiscard]] Lost lost_of(const Job& job) const;
  [[nodiscard]] FairnessRow row_of(const Job& job, double gpus) const;
  [[nodiscard]] ClassedRun run_of(const Job& job) const;

  std::deque<Job> jobs_;
  std::unordered_map<std::int64_t, Lost> lost_;  ///< to co-tenants
};

/// Jobs shorter than this count with this time in the bounded slowdown [s] (Feitelson, "Metrics for
/// Parallel Job Scheduling and Their Convergence", JSSPP 2001).
inline constexpr double kShortJob = 10.0;
/// A job is worse off than with its own share if ρ is larger than this. Times are sums of rounded
/// numbers, so a job that had its share all the time ends on either side of 1.
inline constexpr double kUnfairAbove = 1.0 + 1e-6;

}  // namespace mimus::results
