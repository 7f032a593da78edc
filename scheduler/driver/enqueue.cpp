// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scheduler/driver/state.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {
namespace {

/// What the job asks for. Memory decides nothing where every GPU is idle when it is taken.
RequestKey key_of(const State& state, const JobRecord& job, Instant now) {
  const double memory = state.shares_gpus ? job.view.model.memory(job.plan.per_gpu).value : 0.0;
  return {job.view.gang, state.policy.placement->level(job.view, now), job.group, memory,
          job.view.share};
}

/// Files a waiting job under its present rank and request and sets its next timer.
void file(State& state, JobRecord& job, Instant now) {
  job.rank = state.policy.order->rank(job.view, now);
  job.filed_at = now;
  job.held_back = now < job.held_until;
  if (job.held_back) {
    state.held_back.insert(job.rank);
    state.timers.set(job, job.held_until);
    return;
  }
  job.request = &state.pending.add(key_of(state, job, now), job.rank, job);
  if (state.accounts_waits) job.filed_reading = job.request->clock.read(now);
  state.timers.set(job, std::min(state.policy.order->next_change(job.view, now),
                                 state.policy.placement->next_level(job.view, now)));
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

void leave_queue(State& state, JobRecord& job, Instant now) {
  if (state.accounts_waits) job.view.waited = waited_until(job, now);
  if (job.held_back) {
    state.held_back.erase(job.rank);
  } else {
    state.pending.remove(*job.request, job.rank);
  }
  job.held_back = false;
  job.request = nullptr;
  state.timers.set(job, kNever);
}

void enqueue(State& state, JobRecord& job, Instant now) {
  job.view.state = JobState::queued;
  job.view.queued_since = now;
  job.plan = state.policy.sizing->plan(state.query(job, nullptr));
  file(state, job, now);
}

void reconsider_due(State& state, Instant now) {
  while (JobRecord* job = state.timers.due(now)) {
    leave_queue(state, *job, now);
    state.policy.order->refresh(job->view, now);
    file(state, *job, now);
  }
}

}  // namespace mimus::scheduler
