// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scheduler/action.hpp"
#include "scheduler/cluster.hpp"
#include "scheduler/event.hpp"
#include "scheduler/job_view.hpp"
#include "scheduler/policy.hpp"

namespace mimus::scheduler {

/// Decides who runs where. Pure: no clock, no I/O, no threads, no MPI; the same object file links
/// into both engines. Equal event sequences give equal decisions.
class Scheduler {
 public:
  Scheduler(ClusterShape shape, Policy policy);

  /// Takes one event that happened at `now` (not before the last one) and returns what to do.
  /// A StartAttempt takes effect on the books at once; its slots are freed by AttemptEnded.
  [[nodiscard]] Decision on_event(const Event& event, Instant now);

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  /// Belief about a job that has arrived. InternalError when unknown.
  [[nodiscard]] const JobView& job(JobId id) const;
  /// Ids of the jobs that wait, in the order of the last decision; each has `waits_for` set.
  [[nodiscard]] const std::vector<JobId>& queue() const { return queue_; }
  [[nodiscard]] std::size_t unfinished() const { return unfinished_; }

 private:
  Cluster cluster_;
  Policy policy_;
  std::vector<JobId> queue_;
  std::size_t unfinished_ = 0;
};

}  // namespace mimus::scheduler
