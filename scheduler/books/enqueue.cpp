// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scheduler/books/books.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {
namespace {

/// The key of what the job asks for. Memory plays no role if every GPU is idle when it is taken.
RequestKey key_of(Books& books, const JobRecord& job, Instant now) {
  const double memory = books.shares_gpus ? job.view.model.memory(job.plan.per_gpu).value : 0.0;
  const Placement& placement = *books.policy.placement;
  return {.gang = job.view.gang,
          .level = placement.level(job.view, now),
          .group = job.group,
          .memory = memory,
          .share = job.view.share,
          .kind = books.kinds.of(job.view, job.view.gang),
          .types = placement.types(job.view, now),
          .host = job.view.host};
}

/// Files a waiting job under its present rank and request, and sets its next timer.
void file(Books& books, JobRecord& job, Instant now) {
  job.rank = books.policy.order->rank(job.view, now);
  job.filed_at = now;
  job.held_back = now < job.held_until;
  if (job.held_back) {
    books.held_back.insert(job.rank);
    books.timers.set(job, job.held_until);
    return;
  }
  job.request = &books.pending.add(key_of(books, job, now), job.rank, job);
  if (books.accounts_waits) job.filed_reading = job.request->clock.read(now);
  books.timers.set(job, std::min(books.policy.order->next_change(job.view, now),
                                 books.policy.placement->next_level(job.view, now)));
}

}  // namespace

WaitTimes waited_until(const JobRecord& job, Instant now) {
  WaitTimes waited = job.view.waited;
  if (job.held_back) {
    waited[static_cast<std::size_t>(WaitCause::backoff)] += now - job.filed_at;
  } else if (job.request != nullptr) {
    const WaitTimes& reading = job.request->clock.read(now);
    for (std::size_t i = 0; i < waited.size(); ++i) waited[i] += reading[i] - job.filed_reading[i];
  }
  return waited;
}

void leave_queue(Books& books, JobRecord& job, Instant now) {
  if (books.accounts_waits) job.view.waited = waited_until(job, now);
  if (job.held_back) {
    books.held_back.erase(job.rank);
  } else {
    books.pending.remove(*job.request, job.rank);
  }
  job.held_back = false;
  job.request = nullptr;
  books.timers.set(job, kNever);
}

void enqueue(Books& books, JobRecord& job, Instant now) {
  job.view.state = JobState::queued;
  job.view.queued_since = now;
  job.view.gang = job.view.requested_gang;
  job.view.share = books.policy.share_of(job.view);
  job.plan = books.batch_of(job, nullptr);
  file(books, job, now);
}

void rank_anew(Books& books, Instant now) {
  for (JobRecord* job : books.jobs.all()) {
    if (job->view.holds_gpus()) books.decider->hear(Happening::reranked, job, now);
    if (job->view.state != JobState::queued) continue;
    leave_queue(books, *job, now);
    file(books, *job, now);
  }
}

void arrange_queue(Books& books, Instant now) {
  Order& order = *books.policy.order;
  if (!order.arranges() || books.pending.empty()) return;
  std::vector<JobRecord*> waiting;
  for (const PendingQueue::Head& head : books.pending.heads()) {
    head.request->waiting.for_each([&](const WaitingJob& job) { waiting.push_back(job.job); });
  }
  std::sort(waiting.begin(), waiting.end(),
            [](const JobRecord* a, const JobRecord* b) { return a->view.id < b->view.id; });
  std::vector<const JobView*> views;
  for (const JobRecord* job : waiting) views.push_back(&job->view);
  order.arrange(views, now);
  for (JobRecord* job : waiting) {
    if (order.rank(job->view, now) == job->rank) continue;
    leave_queue(books, *job, now);
    file(books, *job, now);
  }
}

void reconsider_due(Books& books, Instant now) {
  while (JobRecord* job = books.timers.due(now)) {
    leave_queue(books, *job, now);
    books.policy.order->refresh(job->view, now);
    file(books, *job, now);
    books.decider->hear(Happening::arrival, job, now);
  }
}

}  // namespace mimus::scheduler
