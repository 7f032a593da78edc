// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/state.hpp"

namespace mimus::scheduler {
namespace {

bool over_quota(const State& state, const RequestClass& request) {
  if (request.blocked_in == state.capacity_epoch) return request.over_quota;
  const JobRecord& first = state.jobs.at(request.waiting.begin()->job);
  const auto verdict = state.policy.admission->admit(first.view, state.usage(first.group)).verdict;
  return verdict != Verdict::accept;
}

WaitCause cause_of(const State& state, const RequestClass& request) {
  if (over_quota(state, request)) return WaitCause::quota;
  if (state.fit.open_gpus() < request.key.gang) return WaitCause::capacity;
  const bool tried = request.blocked_in == state.capacity_epoch;
  const bool fits = !tried && state.fit.find(request.key.request()).has_value();
  return fits ? WaitCause::order : WaitCause::fragmentation;
}

}  // namespace

void explain(const State& state, JobRecord& job) {
  if (job.request == nullptr) {
    job.view.waits_for = WaitCause::backoff;
    return;
  }
  RequestClass& request = *job.request;
  if (request.cause_version != state.version) {
    request.cause = cause_of(state, request);
    request.cause_version = state.version;
  }
  job.view.waits_for = request.cause;
}

}  // namespace mimus::scheduler
