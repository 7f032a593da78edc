// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/attempts.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {
namespace {

/// False if the job falls back to the checkpoint with which the attempt began.
bool keeps_work(EndReason reason) {
  return reason == EndReason::preempted || is_followed(reason);
}

}  // namespace

void start_attempt(Books& books, JobRecord& job, Allocation allocation, Instant now,
                   Decision& decision) {
  JobView& view = job.view;
  leave_queue(books, job, now);
  view.batch = books.batch_of(job, &allocation);
  view.limits = job.planned_limits;
  view.share = allocation.share;
  if (books.policy.sharing->caps()) view.limits.cap = view.share.gpus();
  const AttemptId attempt = books.jobs.next_attempt();
  books.jobs.begin_attempt(job, attempt);
  const auto gpus = static_cast<int>(allocation.slots.size());
  books.cluster.allocate(view.id, attempt, allocation, view.memory(view.batch),
                         books.kinds.of(view, gpus));
  books.groups.change(job.group, allocation.held());
  view.state = JobState::starting;
  view.waits_for = WaitCause::none;
  view.running_since = now;
  view.stepping_since = view.active_since = kNever;
  view.asked_to_stop = kNever;
  if (!view.first_start) view.first_start = now;
  ++view.attempts;
  view.allocation = std::move(allocation);
  view.limits_asked = false;
  decision.actions.emplace_back(
      StartAttempt{view.id, attempt, view.allocation, view.batch, view.limits});
}

void mark_stopping(Books& books, JobRecord& job, MilliGpus giving_back, Instant now) {
  books.decider->hear(Happening::leaving, &job, now);
  job.giving_back = giving_back;
  books.groups.change_stopping(job.group, job.giving_back);
  job.view.state = JobState::stopping;
  job.view.waits_for = WaitCause::restart;
  const auto at =
      std::lower_bound(books.stopping.begin(), books.stopping.end(), job.view.id,
                       [](const JobRecord* stopping, JobId id) { return stopping->view.id < id; });
  books.stopping.insert(at, &job);
}

void stop_attempt(Books& books, JobRecord& job, std::string reason, Instant now,
                  Decision& decision) {
  mark_stopping(books, job, job.view.allocation.held(), now);
  job.view.asked_to_stop = now;
  decision.actions.emplace_back(StopAttempt{job.view.attempt, std::move(reason)});
}

void retune_attempt(Books& books, JobRecord& job, const BatchPlan& batch, Decision& decision) {
  job.view.batch = batch;
  books.cluster.set_memory(job.view.attempt, job.view.memory(batch));
  decision.actions.emplace_back(RetuneBatch{job.view.attempt, batch});
}

void limit_attempt(Books& books, JobRecord& job, const DeviceLimits& limits, Decision& decision) {
  JobView& view = job.view;
  const Bytes before = view.memory(view.batch);
  view.limits = limits;
  view.limits_asked = true;
  // Until the limits hold, the larger of both needs stays booked.
  books.cluster.set_memory(view.attempt, std::max(before, view.memory(view.batch)));
  decision.actions.emplace_back(LimitAttempt{view.attempt, limits});
}

void suspend_attempt(JobRecord& job, SuspendedMemory keeps, std::string reason,
                     Decision& decision) {
  ensure(job.view.state == JobState::running && job.view.suspension == Suspension::none,
         "an attempt is suspended that makes no steps");
  job.view.suspension = Suspension::asked;
  job.view.keeps = keeps;
  decision.actions.emplace_back(SuspendAttempt{job.view.attempt, std::move(reason), keeps});
}

void resume_attempt(Books& books, JobRecord& job, Decision& decision) {
  ensure(job.view.suspension == Suspension::suspended, "an attempt is resumed that makes steps");
  job.view.suspension = Suspension::resuming;
  job.view.keeps = SuspendedMemory::all;
  books.cluster.set_memory(job.view.attempt, job.view.memory(job.view.batch));
  decision.actions.emplace_back(ResumeAttempt{job.view.attempt});
}

void promote(Books& books, JobRecord& job) {
  if (!job.view.opportunistic) return;
  job.view.opportunistic = false;
  MilliGpus held = job.view.holds_gpus() ? job.view.allocation.held() : MilliGpus{};
  if (job.resize) held += job.resize->added;
  books.groups.change(job.group, -held);
  job.group = job.group_if_guaranteed;
  books.groups.change(job.group, held);
}

void free_gpus(Books& books, JobRecord& job, EndReason reason, Instant now) {
  JobView& view = job.view;
  const MilliGpus held = view.allocation.held();
  books.decider->hear(Happening::leaving, &job, now);
  if (view.state == JobState::stopping) {
    std::erase(books.stopping, &job);
    books.groups.change_stopping(job.group, -job.giving_back);
  }
  books.cluster.release(view.attempt);
  books.groups.change(job.group, -held);
  ++books.capacity_epoch;
  if (keeps_work(reason)) view.kept_training = view.training_time(now);
  view.attained_time = view.replica_time(now);
  books.jobs.end_attempt(job);
  view.suspension = Suspension::none;
  view.keeps = SuspendedMemory::all;
  view.suspended_since = kNever;
  view.allocation.slots.clear();
  view.waits_for = WaitCause::none;
}

}  // namespace mimus::scheduler
