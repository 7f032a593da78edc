// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "scheduler/containers/id_map.hpp"
#include "scheduler/jobs/job_sample.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// The local coordinators of AntMan (Xiao et al., OSDI'20, §4). Opportunistic jobs run as fast as
/// possible without slowing the guaranteed jobs beside them. An opportunistic job runs at a
/// percentage of its own speed. The percentage falls when a guaranteed job is measured to be too
/// slow, and grows otherwise; at 0 the job is suspended. Opportunistic jobs beside a guaranteed job
/// are also suspended until its speed alone has been measured.
class Throttle {
 public:
  struct Settings {
    double tolerance = 1.05;  ///< highest ratio of a guaranteed job's step to its step alone
    int slower = 10;          ///< percentage points taken from opportunistic jobs
    int faster = 5;           ///< percentage points given to them
    Duration window = std::chrono::seconds(30);  ///< of mean utilisation
  };
  explicit Throttle(Settings settings) : settings_(settings) {}

  /// Takes what a job has measured, guaranteed or opportunistic.
  void observe(const JobView& job, const JobSample& sample);
  /// Decides how fast an opportunistic job runs beside these guaranteed jobs.
  void adjust(const JobView& job, std::span<const JobView* const> beside, Instant now);
  void forget(JobId job) { jobs_.erase(job); }

  /// Whether the job makes no steps until the next plan.
  [[nodiscard]] bool suspends(JobId job) const;
  /// The share of device time that the job may have: its percentage of the share that it was
  /// measured to use.
  [[nodiscard]] double cap(JobId job) const;
  /// Mean utilisation of its GPU over the window; nothing before the first measurement.
  [[nodiscard]] std::optional<double> utilisation(JobId job) const;
  /// The largest memory that was measured for a replica.
  [[nodiscard]] Bytes memory(JobId job) const;

 private:
  struct Job {
    Duration alone{};      ///< step without co-tenants; 0: not measured with this gang and batch
    Duration step{};       ///< latest
    Instant step_begin{};  ///< of the window in which that was measured
    BatchPlan batch{};
    int gpus = 0;
    std::optional<double> utilisation;
    Bytes memory{};
    double unlimited_utilisation = 0.0;  ///< most of it, while it had no cap
    int percent = 100;
    bool waits_for_measurement = false;
    Instant holds_since = kNever;  ///< when the percentage was seen to hold
  };
  [[nodiscard]] bool has_taken_effect(const JobView& view, const Job& job) const;
  [[nodiscard]] static double cap_of(const Job& job);

  Settings settings_;
  IdMap<JobId, Job> jobs_;
};

}  // namespace mimus::scheduler
