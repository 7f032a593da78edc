// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/departure.hpp"

#include <utility>

#include "scheduler/books/attempts.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

void leave(Books& books, JobRecord& job, JobState as) {
  job.view.state = as;
  job.view.waits_for = WaitCause::none;
  --books.unfinished;
  books.policy.order->left(job.view.id);
  books.policy.estimate->left(job.view);
  books.policy.batch->left(job.view);
  if (books.policy.planner != nullptr) books.policy.planner->left(job.view.id);
  books.jobs.leave(job);
}

void give_up(Books& books, JobRecord& job, JobState as, std::string reason, Decision& decision) {
  leave(books, job, as);
  decision.actions.emplace_back(GiveUpJob{job.view.id, std::move(reason), as == JobState::killed});
}

void cancel(Books& books, JobRecord& job, std::string reason, Instant now, Decision& decision) {
  if (job.view.state != JobState::queued) {
    job.cancelled = std::move(reason);
    return stop_if_cancelled(books, job, now, decision);
  }
  leave_queue(books, job, now);
  books.decider->hear(Happening::end, &job, now);
  give_up(books, job, JobState::killed, std::move(reason), decision);
}

void stop_if_cancelled(Books& books, JobRecord& job, Instant now, Decision& decision) {
  const JobView& view = job.view;
  const bool is_changing =
      view.suspension == Suspension::asked || view.suspension == Suspension::resuming;
  if (!job.cancelled || view.state == JobState::stopping || is_changing) return;
  stop_attempt(books, job, "is cancelled", now, decision);
}

}  // namespace mimus::scheduler
