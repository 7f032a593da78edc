// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/shortest_remaining.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

Duration remaining(const JobView& job, Instant now) {
  const WideDuration left = job.estimated_run_time - job.training_time(now) / job.replicas();
  return std::chrono::duration_cast<Duration>(std::max(WideDuration::zero(), left));
}

bool is_known(const JobView& job) {
  return job.estimated_run_time > Duration::zero();
}

}  // namespace

Rank ShortestRemaining::rank(const JobView& job, Instant now) const {
  Rank rank{.major = major_of(settings_.unknown), .arrival = job.arrival, .job = job.id};
  if (!is_known(job)) return rank;
  const std::int64_t left = remaining(job, now).count();
  if (settings_.measure == Measure::time) {
    rank.major = left;
  } else {
    set_thousandths(rank, WideInteger{left} * job.demand().value);
  }
  return rank;
}

Instant ShortestRemaining::next_change(const JobView& job, Instant now) const {
  if (!job.trains() || !is_known(job)) return kNever;
  const Duration left = remaining(job, now);
  return left > Duration::zero() && left < kNever - now ? now + left : kNever;
}

Instant ShortestRemaining::overtaken_at(const JobView&, const JobView&, Instant) const {
  return kNever;
}

std::int64_t ShortestRemaining::drift(const JobView& running, Instant now) const {
  const bool shrinks = running.trains() && is_known(running);
  if (!shrinks || remaining(running, now) == Duration::zero()) return 0;
  return settings_.measure == Measure::time ? -1000 : -running.demand().value;
}

}  // namespace mimus::scheduler
