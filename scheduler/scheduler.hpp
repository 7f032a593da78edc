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

/// Decides who runs where. Pure: no clock, no I/O, no threads, no MPI; the same object file links
/// into both engines. Equal event sequences give equal decisions.
///
/// A decision goes through the seams in a fixed order: recovery, admission, order, batch, placement
/// with sharing, preemption; or recovery and what a planner says. It costs the number of different
/// requests among the waiting jobs and of the jobs it starts and stops, not the length of the queue
/// nor the number of running jobs. Memory is bounded by the most jobs in the system at one time.
class Scheduler {
 public:
  /// InternalError when the policy's estimate needs a throughput estimate that it was not given.
  Scheduler(ClusterShape shape, Policy policy);
  ~Scheduler();
  Scheduler(Scheduler&&) noexcept;
  Scheduler& operator=(Scheduler&&) noexcept;

  /// Takes one event that happened at `now` (not before the last one) and returns what to do.
  /// A StartAttempt takes effect on the books at once; its slots are freed by AttemptEnded.
  /// Reports on attempts that have ended are ignored, except a second AttemptEnded (InternalError).
  [[nodiscard]] Decision on_event(const Event& event, Instant now);
  /// Takes events that happened at the same instant and decides once, so that the order in which
  /// simultaneous arrivals are told does not matter.
  [[nodiscard]] Decision on_events(std::span<const Event> events, Instant now);
  /// The same without copies: views of arriving jobs are moved out of the events, and `decision`,
  /// whatever it holds, is overwritten and its memory used again.
  void on_events(std::span<Event> events, Instant now, Decision& decision);

  /// Keeps JobView::waited from now on; off by default. InternalError while jobs are in the system.
  void set_wait_accounting(bool on);

  /// False when reports need not hold what jobs measure: nothing in the policy learns from it.
  [[nodiscard]] bool wants_samples() const;

  /// Of a virtual cluster, by which its share of the cache is judged.
  [[nodiscard]] double cache_weight(const std::string& tenant) const;

  [[nodiscard]] const Cluster& cluster() const;
  /// Belief about a job that has arrived and not left; one that has left is known until the next
  /// events are taken. InternalError when unknown.
  [[nodiscard]] const JobView& job(JobId id) const;
  /// Time the job has spent in the queue by cause up to `now`, not before the last decision,
  /// including a wait that has not ended. All zero without accounting.
  [[nodiscard]] WaitTimes waited(JobId id, Instant now) const;
  /// Ids of the jobs that wait, in the order of the last decision; each has `waits_for` set.
  /// Put together when asked: costs the length of the queue, once per decision.
  [[nodiscard]] const std::vector<JobId>& queue() const;
  [[nodiscard]] std::size_t unfinished() const;
  /// Jobs that wait, at no cost.
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
