// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "workloads/jobs/job.hpp"
#include "workloads/statistics/distribution.hpp"

namespace mimus::workloads {

/// Jobs that have something in common.
struct JobClass {
  std::string name;
  std::int64_t jobs = 0;
  double gpu_seconds = 0.0;
};

struct GangClass {
  int gpus = 1;
  std::int64_t jobs = 0;
  double gpu_seconds = 0.0;
  Distribution run_times;  ///< [s]
};

/// How often jobs come again under the same group tag.
struct Recurrence {
  std::int64_t groups = 0;          ///< distinct tags
  std::int64_t jobs = 0;            ///< that carry one
  std::int64_t recurring_jobs = 0;  ///< of tags with at least kRecurringRuns
  double spread = 0.0;  ///< deviation of the run times' logarithm inside tags of two runs or more

  static constexpr std::int64_t kRecurringRuns = 5;  ///< as PAI counts them (NSDI'22)
};

/// What can be said of a workload before anything runs.
struct WorkloadStatistics {
  std::int64_t jobs = 0;
  Duration first_arrival{}, last_arrival{};
  /// Run time on the cluster × gang × share of each GPU, over all jobs of known run time.
  double gpu_seconds = 0.0;
  std::int64_t unknown_run_times = 0;
  std::vector<GangClass> gangs;                             ///< ascending
  std::vector<std::pair<double, std::int64_t>> gpu_shares;  ///< below 1, ascending: share, jobs
  Distribution run_times;                                   ///< [s]
  Distribution gaps;                                        ///< between arrivals [s]
  std::vector<JobClass> users, virtual_clusters, models, outcomes;  ///< most jobs first, then name
  Recurrence recurrence;
  Distribution estimate_ratios;            ///< stated over true run time, where both are known
  std::int64_t failing_jobs = 0;           ///< with a plan of failures
  std::array<std::int64_t, 24> by_hour{};  ///< arrivals, by hours since the workload's zero
  std::array<std::int64_t, 7> by_day{};    ///< the same by days
  std::vector<std::int64_t> timeline;      ///< arrivals in kTimelineParts equal parts of the span

  static constexpr std::size_t kTimelineParts = 60;

  [[nodiscard]] Duration span() const { return last_arrival - first_arrival; }
  /// GPUs that the jobs would keep busy on average while they arrive; nothing without a span.
  [[nodiscard]] std::optional<double> mean_demand() const;
  /// That over the GPUs there are: above 1 the queue grows.
  [[nodiscard]] std::optional<double> offered_load(int gpus) const;
};

/// Share of the jobs that the `fraction` most active classes have (at least one class).
[[nodiscard]] double top_share(const std::vector<JobClass>& classes, double fraction);

}  // namespace mimus::workloads
