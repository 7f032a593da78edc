// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scheduler/driver/state.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {
namespace {

void leave_queue(State& state, JobRecord& job) {
  if (job.request != nullptr) state.pending.remove(*job.request, job.rank);
  job.request = nullptr;
  state.held_back.erase(job.rank);
}

/// Files a waiting job under its present rank and request and sets its next timer.
void file(State& state, JobRecord& job, Instant now) {
  job.rank = state.policy.order->rank(job.view, now);
  if (now < job.held_until) {
    state.held_back.insert(job.rank);
    state.timers.set(job, job.held_until);
    return;
  }
  const RequestKey key{job.view.gang, job.view.model.memory(job.plan.per_gpu).value,
                       state.policy.placement->level(job.view, now), job.group};
  job.request = &state.pending.add(key, job.rank);
  state.timers.set(job, std::min(state.policy.order->next_change(job.view, now),
                                 state.policy.placement->next_level(job.view, now)));
}

}  // namespace

void enqueue(State& state, JobRecord& job, Instant now) {
  job.view.state = JobState::queued;
  job.view.queued_since = now;
  job.plan = state.policy.sizing->plan(state.query(job, nullptr));
  file(state, job, now);
}

void reconsider_due(State& state, Instant now) {
  for (JobId id; (id = state.timers.due(now));) {
    JobRecord& job = state.jobs.at(id);
    leave_queue(state, job);
    state.policy.order->refresh(job.view, now);
    file(state, job, now);
  }
}

}  // namespace mimus::scheduler
