// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/job_timers.hpp"

namespace mimus::scheduler {

void JobTimers::set(JobRecord& job, Instant at) {
  Instant& present = entry_(job);
  if (present == at) return;
  if (present != kNever) timers_.erase({present, job.view.id, &job});
  present = at;
  if (at != kNever) timers_.insert({at, job.view.id, &job});
}

JobRecord* JobTimers::due(Instant now) const {
  return !timers_.empty() && timers_.front().at <= now ? timers_.front().job : nullptr;
}

}  // namespace mimus::scheduler
