// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/books.hpp"

namespace mimus::scheduler {
namespace {

/// Starts only use up quotas. A job that was over its quota still is, but a job that did not fit
/// may be over its quota by now.
bool over_quota(const Books& books, const RequestClass& request) {
  if (!books.limits_admission) return false;
  if (request.blocked_in == books.capacity_epoch && request.over_quota) return true;
  const JobRecord& first = *request.waiting.front().job;
  const auto verdict =
      books.policy.admission->admit(first.view, first.view.demand(), books.usage(first.group))
          .verdict;
  return verdict != Verdict::accept;
}

bool would_fit(const Books& books, const RequestClass& request) {
  if (request.blocked_in == books.capacity_epoch) return false;
  return books.interchangeable || books.fit.find(request.key.request()).has_value();
}

/// Nodes that sleep or boot are idle. If they alone do not hold the gang, it may need them beside
/// GPUs that are free: then only the number counts.
bool would_fit_awake(const Books& books, const RequestClass& request, bool has_capacity) {
  const std::size_t nodes = books.asleep.size() + books.booting.size();
  if (nodes == 0) return false;
  const int idle = static_cast<int>(nodes) * books.cluster.shape().gpus_per_node;
  return request.key.gang <= idle + (has_capacity ? 0 : books.fit.open_gpus());
}

WaitCause cause_of(const Books& books, const RequestClass& request) {
  if (over_quota(books, request)) return WaitCause::quota;
  const bool has_capacity = books.fit.has_capacity(request.key.request());
  if (has_capacity && would_fit(books, request)) return WaitCause::order;
  if (would_fit_awake(books, request, has_capacity)) return WaitCause::boot;
  return has_capacity ? WaitCause::fragmentation : WaitCause::capacity;
}

void explain(const Books& books, RequestClass& request) {
  if (request.cause_version == books.version) return;
  request.cause = cause_of(books, request);
  request.cause_version = books.version;
}

}  // namespace

void explain(const Books& books, JobRecord& job) {
  if (job.request == nullptr) {
    job.view.waits_for = WaitCause::backoff;
    return;
  }
  explain(books, *job.request);
  job.view.waits_for = job.request->cause;
}

void account_waits(Books& books, Instant now) {
  for (const PendingQueue::Head& head : books.pending.heads()) {
    explain(books, *head.request);
    head.request->clock.turn_to(head.request->cause, now);
  }
}

}  // namespace mimus::scheduler
