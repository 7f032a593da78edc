// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/shortest_remaining.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

Duration remaining(const JobView& job, Instant now) {
  return std::max(Duration::zero(), job.estimated_run_time - job.service(now) / job.gpus());
}

bool is_known(const JobView& job) {
  return job.estimated_run_time > Duration::zero();
}

std::int64_t product(std::int64_t time, std::int64_t gpus) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return time > kMost / gpus ? kMost : time * gpus;
}

}  // namespace

Rank ShortestRemaining::rank(const JobView& job, Instant now) const {
  Rank rank{.major = major_of(settings_.unknown), .arrival = job.arrival, .job = job.id};
  if (!is_known(job)) return rank;
  const std::int64_t left = remaining(job, now).count();
  rank.major = settings_.measure == Measure::time ? left : product(left, job.gpus());
  return rank;
}

Instant ShortestRemaining::next_change(const JobView& job, Instant now) const {
  if (!job.holds_gpus() || !is_known(job)) return kNever;
  const Duration left = remaining(job, now);
  return left > Duration::zero() && left < kNever - now ? now + left : kNever;
}

Instant ShortestRemaining::overtaken_at(const JobView&, const JobView&, Instant) const {
  return kNever;
}

std::int64_t ShortestRemaining::drift(const JobView& running, Instant now) const {
  if (!is_known(running) || remaining(running, now) == Duration::zero()) return 0;
  return settings_.measure == Measure::time ? -1 : -std::int64_t{running.gpus()};
}

}  // namespace mimus::scheduler
