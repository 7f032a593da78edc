// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A job's run time on the gang that it requests, and the part that is left [s].
struct BelievedRunTime {
  double whole;
  double left;
};

/// As the estimate believes; a job of which it believes nothing is taken to need as long again as
/// it has trained, and at least a minute. `rate`: samples/s on that gang, if believed.
[[nodiscard]] BelievedRunTime believed_run_time(const JobView& job, std::optional<double> rate,
                                                Instant now);

/// What is believed of the finish-time fairness ρ of jobs: the time that a job takes in the shared
/// cluster over the time it would take alone on its part of it (Themis, NSDI'20 §4.1),
///   ρ(k) = (age + remaining run time on k GPUs) ÷ (run time × gang ÷ min(GPUs ÷ jobs, gang)),
/// where `jobs` is the mean number of jobs in the system since this one came.
class FinishTimeBelief {
 public:
  /// A plan is asked for: the number of jobs holds from now on.
  void at(const PlanQuery& query);

  /// ρ of the job if it went on on `gpus` > 0 GPUs, placed as tightly as possible and alone. The
  /// whole run time is what the estimate believes; a job of which it believes nothing is taken to
  /// need as long again as it has trained, and at least a minute. Its speed on other gangs is what
  /// the estimate believes, else in proportion to the GPUs.
  [[nodiscard]] double rho(const JobView& job, int gpus, const PlanQuery& query) const;

 private:
  [[nodiscard]] double mean_jobs(const JobView& job, Instant now) const;

  Instant now_{};
  double jobs_ = 0.0;         ///< in the system since now_
  double job_seconds_ = 0.0;  ///< their number, integrated until now_
  std::unordered_map<JobId, double> job_seconds_at_arrival_;
};

}  // namespace mimus::scheduler
