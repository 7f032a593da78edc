// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

#include "scheduler/books/job_table.hpp"
#include "scheduler/containers/sorted_blocks.hpp"

namespace mimus::scheduler {

/// Instants at which jobs must be reconsidered; at most one per job.
class JobTimers {
 public:
  /// `entry`: the member in which a job stores its timer; kNever: none.
  using Entry = Instant& (*)(JobRecord&);
  explicit JobTimers(Entry entry) : entry_(entry) {}

  /// Replaces the job's timer; kNever only removes it.
  void set(JobRecord& job, Instant at);
  [[nodiscard]] Instant next() const { return timers_.empty() ? kNever : timers_.front().at; }
  /// The job whose timer is next if it is due (the lowest id of one instant), otherwise null. The
  /// caller sets its next timer.
  [[nodiscard]] JobRecord* due(Instant now) const;
  /// Visits (instant, job) in order of time while `visit` returns true.
  template <class Visit>
  void for_each_while(Visit&& visit) const {
    timers_.for_each_while([&](const Timer& timer) { return visit(timer.at, *timer.job); });
  }

 private:
  struct Timer {
    Instant at{};
    JobId id;
    JobRecord* job = nullptr;
    auto operator<=>(const Timer&) const = default;
  };

  Entry entry_;
  SortedBlocks<Timer> timers_;
};

}  // namespace mimus::scheduler
