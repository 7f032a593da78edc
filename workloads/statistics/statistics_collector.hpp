// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/jobs/job_stream.hpp"
#include "workloads/jobs/run_times.hpp"
#include "workloads/models/model_catalogue.hpp"
#include "workloads/statistics/workload_statistics.hpp"

namespace mimus::workloads {

/// Takes jobs one after the other. Memory: some 32 bytes per job, and the names.
class StatisticsCollector {
 public:
  /// `models` must outlive it. `run_times` tells how long jobs run that have one.
  explicit StatisticsCollector(const ModelCatalogue& models, RunTimes run_times = {})
      : models_(models), run_times_(std::move(run_times)) {}

  /// In order of arrival. Throws UsageError for a model that is unknown.
  void add(const Job& job);
  /// What was taken; call it once.
  [[nodiscard]] WorkloadStatistics finish();

 private:
  struct Count {
    std::int64_t jobs = 0;
    double gpu_seconds = 0.0;
  };
  using Counts = std::unordered_map<std::string, Count>;
  /// Of the runs of one tag: Welford's running mean and squares of the run times' logarithms.
  struct Runs {
    std::int64_t jobs = 0;
    std::int64_t timed = 0;
    double mean = 0.0;
    double squares = 0.0;
  };
  struct Gang {
    double gpu_seconds = 0.0;
    std::vector<double> run_times;
    std::int64_t jobs = 0;
  };

  void add_arrival(const Job& job);
  void add_run_time(const Job& job, double seconds);
  void add_group(const Job& job, double seconds);
  [[nodiscard]] static std::vector<JobClass> sorted(const Counts& counts);
  [[nodiscard]] Recurrence recurrence() const;
  [[nodiscard]] std::vector<double> gaps() const;
  [[nodiscard]] std::vector<GangClass> gangs();
  [[nodiscard]] std::vector<std::int64_t> timeline() const;

  const ModelCatalogue& models_;
  RunTimes run_times_;
  WorkloadStatistics totals_;
  std::vector<double> ratios_;
  std::map<int, Gang> gangs_;
  std::map<double, std::int64_t> gpu_shares_;
  Counts users_, virtual_clusters_, used_models_, outcomes_;
  std::unordered_map<std::string, Runs> groups_;
  std::vector<Duration> arrivals_;
};

/// Statistics of a whole stream.
[[nodiscard]] WorkloadStatistics statistics_of(JobStream& stream, const ModelCatalogue& models,
                                               const RunTimes& run_times = {});

}  // namespace mimus::workloads
