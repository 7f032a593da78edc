// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <utility>

#include "scheduler/driver/job_table.hpp"

namespace mimus::scheduler {

/// Instants at which a waiting job must be looked at again; at most one per job.
class JobTimers {
 public:
  /// Replaces the job's timer; kNever only removes it.
  void set(JobRecord& job, Instant at);
  [[nodiscard]] Instant next() const { return timers_.empty() ? kNever : timers_.begin()->first; }
  /// One job whose timer is due; "none" without one. The caller sets its next timer.
  [[nodiscard]] JobId due(Instant now) const;

 private:
  std::set<std::pair<Instant, JobId>> timers_;
};

}  // namespace mimus::scheduler
