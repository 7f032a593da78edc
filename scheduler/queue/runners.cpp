// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/runners.hpp"

namespace mimus::scheduler {

void Runners::file(JobRecord& job, Instant now) {
  RunnerPlace& place = job.running;
  place.drift = order_.drift(job.view, now);
  place.rank = SteadyRank::of(order_.rank(job.view, now), place.drift, order_.rank_time(now));
  const Instant change = order_.next_change(job.view, now);
  changes_.set(job, place.drift == 0 ? change : kNever);
  turns_.set(job, place.drift == 0 ? kNever : change);
  (place.stoppable ? stoppable_ : young_).add(job);
}

void Runners::unfile(JobRecord& job) {
  (job.running.stoppable ? stoppable_ : young_).remove(job);
}

void Runners::add(JobRecord& job, Instant now) {
  const Instant from = preemption_.stoppable_from(job.view);
  job.running.filed = true;
  job.running.stoppable = from <= now;
  if (!job.running.stoppable) stoppable_from_.set(job, from);
  file(job, now);
}

void Runners::remove(JobRecord& job) {
  if (!job.running.filed) return;
  unfile(job);
  changes_.set(job, kNever);
  turns_.set(job, kNever);
  stoppable_from_.set(job, kNever);
  job.running.filed = false;
}

void Runners::refresh(JobRecord& job, Instant now) {
  if (!job.running.filed) return;
  unfile(job);
  file(job, now);
}

void Runners::advance(Instant now) {
  while (JobRecord* job = stoppable_from_.due(now)) {
    unfile(*job);
    stoppable_from_.set(*job, kNever);
    job->running.stoppable = true;
    file(*job, now);
  }
  while (JobRecord* job = changes_.due(now)) refresh(*job, now);
  while (JobRecord* job = turns_.due(now)) refresh(*job, now);
}

}  // namespace mimus::scheduler
