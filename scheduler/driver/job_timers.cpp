// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/job_timers.hpp"

namespace mimus::scheduler {

void JobTimers::set(JobRecord& job, Instant at) {
  if (job.reconsider_at != kNever) timers_.erase({job.reconsider_at, job.view.id});
  job.reconsider_at = at;
  if (at != kNever) timers_.insert({at, job.view.id});
}

JobId JobTimers::due(Instant now) const {
  return next() <= now && !timers_.empty() ? timers_.begin()->second : JobId{};
}

}  // namespace mimus::scheduler
