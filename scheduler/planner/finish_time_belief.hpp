// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A job's run time on its requested gang, and the part that is left [s].
struct BelievedRunTime {
  double whole;
  double left;
};

/// From the estimate. A job without one is assumed to need as long again as it has trained, and at
/// least a minute. `rate`: estimated samples/s on that gang, if any.
[[nodiscard]] BelievedRunTime believed_run_time(const JobView& job, std::optional<double> rate,
                                                Instant now);

/// Estimated finish-time fairness ρ of jobs: the time that a job takes in the shared cluster over
/// the time it would take alone on its share of it (Themis, NSDI'20 §4.1),
///   ρ(k) = (age + remaining run time on k GPUs) ÷ (run time × gang ÷ min(GPUs ÷ jobs, gang)),
/// where `jobs` is the mean number of jobs in the system since this one arrived.
class FinishTimeBelief {
 public:
  /// A plan is requested; the number of jobs holds from now on.
  void at(const PlanQuery& query);

  /// ρ of the job if it continued on `gpus` > 0 GPUs, placed as tightly as possible and alone. The
  /// whole run time is estimated; a job without an estimate is assumed to need as long again as it
  /// has trained, and at least a minute. Its speed on other gangs is the estimated one, otherwise
  /// in proportion to the GPUs.
  [[nodiscard]] double rho(const JobView& job, int gpus, const PlanQuery& query) const;

 private:
  [[nodiscard]] double mean_jobs(const JobView& job, Instant now) const;

  Instant now_{};
  double jobs_ = 0.0;         ///< in the system since now_
  double job_seconds_ = 0.0;  ///< their number, integrated until now_
  std::unordered_map<JobId, double> job_seconds_at_arrival_;
};

}  // namespace mimus::scheduler
