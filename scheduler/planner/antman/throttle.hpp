// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "scheduler/containers/id_map.hpp"
#include "scheduler/jobs/job_sample.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// The local coordinators of AntMan (Xiao et al., OSDI'20, §4): opportunistic jobs run as fast as
/// the guaranteed ones beside them allow, which shall not be slower than alone. An opportunistic
/// job runs at a percentage of its own speed. It falls when a guaranteed job is measured to be too
/// slow, and grows again when none is; at 0 the job is suspended. While the speed of a guaranteed
/// job alone has not been measured, opportunistic jobs beside it are suspended, too.
class Throttle {
 public:
  struct Settings {
    double tolerance = 1.05;                     ///< step of a guaranteed job over its step alone
    int slower = 10;                             ///< percentage points that are taken
    int faster = 5;                              ///< and given
    Duration window = std::chrono::seconds(30);  ///< of mean utilisation
  };
  explicit Throttle(Settings settings) : settings_(settings) {}

  /// Takes what a job of either class measured.
  void observe(const JobView& job, const JobSample& sample);
  /// Decides how fast an opportunistic job goes on beside these guaranteed ones.
  void adjust(const JobView& job, std::span<const JobView* const> beside, Instant now);
  void forget(JobId job) { jobs_.erase(job); }

  /// Whether it is to make no steps until the next plan.
  [[nodiscard]] bool suspends(JobId job) const;
  /// The share of device time that it may have: its percentage of what it was measured to use.
  [[nodiscard]] double cap(JobId job) const;
  /// Of its GPU, lately, as a mean over the window; nothing before it has been measured.
  [[nodiscard]] std::optional<double> utilisation(JobId job) const;
  /// Most memory of a replica that was measured.
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
