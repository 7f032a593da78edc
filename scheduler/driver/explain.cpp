// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/state.hpp"

namespace mimus::scheduler {
namespace {

/// Starts only use up quotas: who was over one still is, who did not fit may be by now.
bool over_quota(const State& state, const RequestClass& request) {
  if (!state.limits_admission) return false;
  if (request.blocked_in == state.capacity_epoch && request.over_quota) return true;
  const JobRecord& first = *request.waiting.front().job;
  const auto verdict = state.policy.admission->admit(first.view, state.usage(first.group)).verdict;
  return verdict != Verdict::accept;
}

bool would_fit(const State& state, const RequestClass& request) {
  if (request.blocked_in == state.capacity_epoch) return false;
  return state.interchangeable || state.fit.find(request.key.request()).has_value();
}

WaitCause cause_of(const State& state, const RequestClass& request) {
  if (over_quota(state, request)) return WaitCause::quota;
  if (!state.fit.has_capacity(request.key.request())) return WaitCause::capacity;
  return would_fit(state, request) ? WaitCause::order : WaitCause::fragmentation;
}

void explain(const State& state, RequestClass& request) {
  if (request.cause_version == state.version) return;
  request.cause = cause_of(state, request);
  request.cause_version = state.version;
}

}  // namespace

void explain(const State& state, JobRecord& job) {
  if (job.request == nullptr) {
    job.view.waits_for = WaitCause::backoff;
    return;
  }
  explain(state, *job.request);
  job.view.waits_for = job.request->cause;
}

void account_waits(State& state, Instant now) {
  for (const PendingQueue::Head& head : state.pending.heads()) {
    explain(state, *head.request);
    head.request->clock.turn_to(head.request->cause, now);
  }
}

}  // namespace mimus::scheduler
