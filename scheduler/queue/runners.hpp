// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/books/job_timers.hpp"
#include "scheduler/preemption/preemption.hpp"
#include "scheduler/queue/running_index.hpp"

namespace mimus::scheduler {

/// The running jobs that may be asked to yield: those that may be stopped now, and young ones that
/// may be stopped later. Kept only if the preemption choice is active.
class Runners {
 public:
  Runners(const Order& order, const Preemption& preemption)
      : order_(order), preemption_(preemption) {}

  /// The job has made the first step of its attempt.
  void add(JobRecord& job, Instant now);
  /// The job is being stopped or has ended. No effect if it is not here.
  void remove(JobRecord& job);
  /// Something on which its rank may depend has changed.
  void refresh(JobRecord& job, Instant now);
  /// Updates ranks and the two sets; must be called before they are used.
  void advance(Instant now);

  [[nodiscard]] const RunningIndex& stoppable() const { return stoppable_; }
  [[nodiscard]] const RunningIndex& young() const { return young_; }
  /// When young jobs may be stopped.
  [[nodiscard]] const JobTimers& stoppable_from() const { return stoppable_from_; }
  /// When ranks without drift change.
  [[nodiscard]] const JobTimers& changes() const { return changes_; }

 private:
  void file(JobRecord& job, Instant now);
  void unfile(JobRecord& job);

  const Order& order_;
  const Preemption& preemption_;
  RunningIndex stoppable_;
  RunningIndex young_;
  JobTimers changes_{[](JobRecord& job) -> Instant& { return job.running.changes_at; }};
  /// When ranks with a drift, or their drifts, change.
  JobTimers turns_{[](JobRecord& job) -> Instant& { return job.running.turns_at; }};
  JobTimers stoppable_from_{[](JobRecord& job) -> Instant& { return job.running.stoppable_from; }};
};

}  // namespace mimus::scheduler
