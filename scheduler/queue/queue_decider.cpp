// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/queue_decider.hpp"

#include <algorithm>

#include "scheduler/order/order.hpp"
#include "scheduler/queue/next_chance.hpp"

namespace mimus::scheduler {

bool QueueDecider::hear(Happening what, JobRecord* job, Instant now) {
  if (what == Happening::first_step) return state_.preempts && hear_first_step(*job, now);
  if (what == Happening::report || what == Happening::reranked) {
    settled_at_ = Instant::min();  // ranks may depend on beliefs
    state_.runners.refresh(*job, now);
  }
  if (what == Happening::leaving) state_.runners.remove(*job);
  return false;
}

/// The job may be asked to yield from now on, or later.
bool QueueDecider::hear_first_step(JobRecord& job, Instant now) {
  const PendingQueue& pending = state_.books.pending;
  if (job.view.state != JobState::running) return !pending.empty();
  state_.runners.add(job, now);
  return !pending.empty() && !starts_quietly(job, now);
}

/// Whether the job's first step allows no waiting job to ask it to yield before its own rank
/// changes. This holds if all waiting jobs rank after it and nothing else can be done for them at
/// this instant. Every start is followed by such an event, so this saves a pass over all requests
/// for most attempts.
bool QueueDecider::starts_quietly(const JobRecord& job, Instant now) {
  const Books& books = state_.books;
  if (settled_at_ != now || books.limits_admission) return false;
  const Rank& first = books.pending.heads().front().rank;
  const RunnerPlace& place = job.running;
  if (first < place.rank.at(place.drift, books.policy.order->rank_time(now))) return false;
  wake_up_ = std::min(wake_up_, next_chance_of(state_, job, first, now));
  return true;
}

void QueueDecider::decide(Instant now, Decision& decision) {
  wake_up_ = start_and_make_room(state_, now, decision, make_room);
  const bool settled = state_.preempts && state_.promises.empty() && state_.books.stopping.empty();
  settled_at_ = settled ? now : Instant::min();
}

}  // namespace mimus::scheduler
