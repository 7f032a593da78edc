// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// Sums over the jobs of a group. Counts are doubles too: exact up to 2^53.
struct JobSums {
  double jobs = 0, finished = 0, failed = 0, rejected = 0, unfinished = 0, killed = 0;
  double jct = 0;
  double deadlines = 0, deadlines_missed = 0;
  double queueing = 0;
  double wait_capacity = 0, wait_fragmentation = 0, wait_order = 0;
  double wait_quota = 0, wait_backoff = 0, wait_restart = 0, wait_round = 0, wait_boot = 0;
  /// Jobs that have waited for the cause at all.
  double delayed_capacity = 0, delayed_fragmentation = 0, delayed_order = 0;
  double delayed_quota = 0, delayed_backoff = 0, delayed_restart = 0, delayed_round = 0,
         delayed_boot = 0;
  double running = 0;
  double suspended = 0;
  double gpu_seconds = 0, failed_gpu_seconds = 0, killed_gpu_seconds = 0;
  double attempts = 0, restarts = 0, preemptions = 0, failures = 0;
  double samples_processed = 0, progress_samples = 0;
  double lost_samples = 0, lost_seconds = 0;
  double efficient_gpu_seconds = 0;  ///< Σ gpu_seconds · progress_samples ÷ samples_processed
  double sampled_gpu_seconds = 0;    ///< Σ gpu_seconds of jobs that processed samples

  void add(const JobRow& row);
  void add(const JobSums& other);

 private:
  void add_waits(const JobRow& row);
};

/// One sum under its name in the file.
struct JobMetric {
  std::string_view name;
  double JobSums::*sum;
  std::string_view unit;  ///< "" for a plain number
  std::string_view description;
};

[[nodiscard]] const std::array<JobMetric, 41>& job_metrics();
/// Prefix of the sums of the waits for a cause; the cause's name follows.
inline constexpr std::string_view kWaitPrefix = "wait_";

/// Classes of jobs by requested GPUs, as in Jeon et al., "Analysis of Large-Scale Multi-Tenant GPU
/// Clusters for DNN Training Workloads" (USENIX ATC 2019).
inline constexpr std::array<std::string_view, 4> kGangClasses{"1", "2-4", "5-8", ">8"};
/// Index into kGangClasses.
[[nodiscard]] std::size_t gang_class(std::int64_t gpus);

}  // namespace mimus::results
