// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>

#include "scheduler/planner/application_key.hpp"
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

/// What is believed of the finish-time fairness ρ of applications: the time that one takes in the
/// shared cluster over the time it would take alone on its part of it (Themis, NSDI'20 §4.1),
///   ρ(k) = (age + remaining time on k GPUs) ÷ (service ÷ min(GPUs ÷ applications, demand)),
/// where `applications` is their mean number in the system since this one came, and `service` the
/// GPU time of all jobs that it has had so far, as if each were alone on the gang that it asks for.
/// Its demand are the gangs of the jobs that it has now. It ends when its last job does: jobs that
/// it has yet to submit are not known.
class FinishTimeBelief {
 public:
  /// A plan is asked for: the number of applications holds from now on.
  void at(const PlanQuery& query);

  /// ρ of a job that is an application by itself, if it went on on `gpus` > 0 GPUs, placed as
  /// tightly as possible and alone. The whole run time is what the estimate believes; a job of
  /// which it believes nothing is taken to need as long again as it has trained, and at least a
  /// minute. Its speed on other gangs is what the estimate believes, else in proportion to the
  /// GPUs.
  [[nodiscard]] double rho(const JobView& job, int gpus, const PlanQuery& query) const;
  /// The same of an application with these jobs now, each with all of its gang or a part of it.
  /// Speeds are in proportion to GPUs, and no job ends before it would on its gang.
  [[nodiscard]] double rho(std::span<const JobView* const> jobs, int gpus,
                           const PlanQuery& query) const;

 private:
  /// A job as it was when a plan was last asked for.
  struct Seen {
    double service = 0.0;  ///< [GPU s]
    int gpus = 0;          ///< on which it trains
  };
  struct Application {
    double seconds_at_arrival = 0.0;  ///< application_seconds_ then
    Instant arrival{};                ///< of its first job
    double service_of_ended = 0.0;    ///< of its jobs [GPU s]
    std::map<JobId, Seen> jobs;
  };
  using Known = std::map<ApplicationKey, Application>;
  [[nodiscard]] static Seen seen(const JobView& job, Instant now);
  [[nodiscard]] double mean_applications(const JobView& of, Instant arrival, Instant now) const;
  [[nodiscard]] double part_of(const JobView& of, Instant arrival, double demand,
                               const PlanQuery& query) const;

  Instant now_{};
  double count_ = 0.0;                ///< of applications in the system since now_
  double application_seconds_ = 0.0;  ///< their number, integrated until now_
  Known known_;
};

}  // namespace mimus::scheduler
