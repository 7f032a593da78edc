// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/philly/tries.hpp"

#include <algorithm>

#include "scheduler/placement/locality/levelled.hpp"

namespace mimus::scheduler {

void Tries::is_schedulable(const JobView& job, Instant now, bool relaxes) {
  waits_.insert(job.id, {});
  Wait& wait = *waits_.find(job.id);
  if (wait.queued_since != job.queued_since) {
    wait = {.queued_since = job.queued_since, .schedulable_since = now, .next_try = now};
  }
  wait.relaxes = relaxes;
  wait.schedulable = true;
}

void Tries::is_not_schedulable(JobId job) {
  if (Wait* wait = waits_.find(job)) wait->schedulable = false;
}

int Tries::level(JobId job, Instant now) const {
  const Wait* wait = waits_.find(job);
  if (wait == nullptr || !wait->relaxes) return kTightest;
  const Duration waited = now - wait->schedulable_since;
  if (waited < settings_.rack_after) return kTightest;
  return waited < settings_.any_after ? kOneRack : kAnywhere;
}

Instant Tries::try_from(const Wait& wait, Instant from) const {
  if (from <= wait.next_try) return wait.next_try;
  if (settings_.backoff == Duration::zero()) return from;
  const Duration late = from - wait.next_try;
  const auto missed = (late + settings_.backoff - Duration{1}) / settings_.backoff;
  return wait.next_try + missed * settings_.backoff;
}

bool Tries::is_due(JobId job, Instant now) {
  Wait& wait = *waits_.find(job);
  // The plan of the instant asked for comes later on clocks that do not wait for the host.
  const bool comes_late = asked_for_ <= now && try_from(wait, asked_for_) == asked_for_;
  wait.next_try = comes_late ? asked_for_ : try_from(wait, now);
  return comes_late || wait.next_try == now;
}

void Tries::failed(JobId job, Instant now) {
  Wait& wait = *waits_.find(job);
  wait.next_try = now + settings_.backoff;
  wait.failed_in = version_;
}

Instant Tries::next(const Wait& wait, Instant now) const {
  if (!wait.schedulable) return kNever;
  const Instant soonest = now + Duration{1};
  const bool may_change = wait.failed_in != version_;
  if (may_change) {
    return settings_.backoff == Duration::zero() ? kNever : try_from(wait, soonest);
  }
  Instant relaxed = kNever;
  for (const Duration after : {settings_.any_after, settings_.rack_after}) {
    const Instant at = wait.schedulable_since + after;
    if (wait.relaxes && at > now) relaxed = at;
  }
  return relaxed == kNever ? kNever : try_from(wait, std::max(relaxed, soonest));
}

Instant Tries::ask_for_next(Instant now) {
  asked_for_ = kNever;
  waits_.for_each(
      [&](JobId, const Wait& wait) { asked_for_ = std::min(asked_for_, next(wait, now)); });
  return asked_for_;
}

}  // namespace mimus::scheduler
