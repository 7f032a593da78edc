// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/jobs/action.hpp"
#include "scheduler/jobs/event.hpp"
#include "scheduler/jobs/job_view.hpp"
#include "scheduler/policy/policy.hpp"

namespace mimus::scheduler {

struct Books;

/// Decides which job runs where. Pure: no clock, no I/O, no threads, no MPI; the same object file
/// links into both engines. Equal event sequences give equal decisions.
///
/// A decision goes through the seams in a fixed order: recovery, admission, order, batch, placement
/// with sharing, preemption; or recovery and the plan of a planner. Its cost grows with the number
/// of different requests among the waiting jobs and with the number of jobs that it starts and
/// stops, but not with the length of the queue or the number of running jobs. Memory is bounded by
/// the largest number of jobs in the system at one time.
class Scheduler {
 public:
  /// Throws InternalError if the policy's estimate needs a throughput estimate that it was not
  /// given.
  Scheduler(ClusterShape shape, Policy policy);
  ~Scheduler();
  Scheduler(Scheduler&&) noexcept;
  Scheduler& operator=(Scheduler&&) noexcept;

  /// Takes one event that happened at `now` (not before the last one) and returns what to do.
  /// A StartAttempt takes effect on the books at once; its slots are freed by AttemptEnded.
  /// Reports on attempts that have ended are ignored, except a second AttemptEnded (InternalError).
  [[nodiscard]] Decision on_event(const Event& event, Instant now);
  /// Takes events that happened at the same instant and decides once, so that their order does not
  /// matter.
  [[nodiscard]] Decision on_events(std::span<const Event> events, Instant now);
  /// The same without copies: views of arriving jobs are moved out of the events, and `decision` is
  /// overwritten and its memory reused.
  void on_events(std::span<Event> events, Instant now, Decision& decision);

  /// Keeps JobView::waited from now on; off by default. Throws InternalError while jobs are in the
  /// system.
  void set_wait_accounting(bool on);

  /// False if nothing in the policy learns from what jobs measure: reports need not contain it.
  [[nodiscard]] bool wants_samples() const;

  /// Weight of a virtual cluster, by which its share of the cache is judged.
  [[nodiscard]] double cache_weight(const std::string& tenant) const;

  [[nodiscard]] const Cluster& cluster() const;
  /// What is believed of a job in the system. A job that has left is known until the next events
  /// are taken. Throws InternalError for an unknown job.
  [[nodiscard]] const JobView& job(JobId id) const;
  /// Time the job has spent in the queue by cause up to `now`, not before the last decision,
  /// including a wait that has not ended. All zero without accounting.
  [[nodiscard]] WaitTimes waited(JobId id, Instant now) const;
  /// Ids of the waiting jobs, in the order of the last decision; each has `waits_for` set. Computed
  /// on demand, at a cost of the length of the queue once per decision.
  [[nodiscard]] const std::vector<JobId>& queue() const;
  [[nodiscard]] std::size_t unfinished() const;
  /// Number of waiting jobs, at no cost.
  [[nodiscard]] std::size_t queued() const;

 private:
  void begin(Instant now, Decision& decision);
  void decide(bool pass, Instant now, Decision& decision);
  [[nodiscard]] Instant wake_up() const;

  std::unique_ptr<Books> books_;
  Instant last_{};
  Instant power_wake_up_ = kNever;
  Instant cache_wake_up_ = kNever;
  mutable std::vector<JobId> queue_;
  mutable std::uint64_t queue_version_ = 0;
};

}  // namespace mimus::scheduler
