// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/least_attained_service.hpp"

#include <algorithm>
#include <limits>

namespace mimus::scheduler {
namespace {

constexpr std::int64_t kNotStarted = std::numeric_limits<std::int64_t>::max();

/// The first multiple of `quantum` that is not before `at`.
Instant quantum_end(Instant at, Duration quantum) {
  if (quantum == Duration::zero()) return at;
  if (at > kNever - quantum) return kNever;
  const auto count = at.time_since_epoch().count();
  const auto step = quantum.count();
  return Instant{Duration{(count + step - 1) / step * step}};
}

/// The last multiple of `quantum` that is not after `at`.
Instant quantum_begin(Instant at, Duration quantum) {
  if (quantum == Duration::zero()) return at;
  return Instant{at.time_since_epoch() / quantum * quantum};
}

/// The time in which `gpus` GPUs or replicas provide `amount` in total, rounded up.
WideDuration ceil_divide(WideDuration amount, int gpus) {
  return (amount + WideDuration{gpus - 1}) / gpus;
}

/// `at` plus a time that may be longer than any Duration.
Instant later(Instant at, WideDuration time) {
  return time < kNever - at ? at + std::chrono::duration_cast<Duration>(time) : kNever;
}

}  // namespace

WideDuration LeastAttainedService::forgiven(JobId job) const {
  const WideDuration* found = forgiven_.find(job);
  return found == nullptr ? WideDuration::zero() : *found;
}

WideDuration LeastAttainedService::counted_time(const JobView& job, Instant now) const {
  const Instant until = std::max(quantum_begin(now, settings_.quantum), job.running_since);
  return job.replica_time(job.holds_gpus() ? until : now) - forgiven(job.id);
}

WideDuration LeastAttainedService::counted_service(const JobView& job, Instant now) const {
  return gpu_time(counted_time(job, now), job.share);
}

std::size_t LeastAttainedService::queue_of(const JobView& job, Instant now) const {
  const auto& limits = settings_.limits;
  const auto above = std::upper_bound(limits.begin(), limits.end(), counted_service(job, now));
  return static_cast<std::size_t>(above - limits.begin());
}

/// The counted service in thousandths of a GPU × nanoseconds, which is exact.
WideInteger LeastAttainedService::thousandths(const JobView& job, Instant now) const {
  return counted_time(job, now).count() * job.share.value;
}

Rank LeastAttainedService::rank(const JobView& job, Instant now) const {
  if (settings_.limits.empty()) {
    Rank rank{.arrival = job.arrival, .job = job.id};
    set_thousandths(rank, thousandths(job, now));
    return rank;
  }
  if (settings_.promote && !job.holds_gpus()) waits_.assign(job.id, waits_of(job));
  const std::size_t queue = queue_of(job, now);
  Rank rank{.major = static_cast<WideInteger>(queue), .arrival = job.arrival, .job = job.id};
  switch (settings_.within) {
    case Within::first_start:
      rank.minor = job.first_start ? job.first_start->time_since_epoch().count() : kNotStarted;
      break;
    case Within::entry:
      rank.minor = entered_at(job, queue).time_since_epoch().count();
      break;
    case Within::queue_order:
      list_.place(rank, job, queue, entered_at(job, queue), now);
      break;
  }
  return rank;
}

/// When the job's service reached `limit` in its present attempt or, if it waits, in its last one.
Instant LeastAttainedService::crossed_at(const JobView& job, Duration limit) const {
  const WideDuration until = time_for(limit, job.share) + forgiven(job.id);
  const WideDuration missing = until - job.attained_time;
  if (job.holds_gpus()) {
    return quantum_end(later(job.running_since, ceil_divide(missing, job.replicas())),
                       settings_.quantum);
  }
  return quantum_end(later(job.queued_since, missing / job.replicas()), settings_.quantum);
}

Instant LeastAttainedService::entered_at(const JobView& job, std::size_t queue) const {
  Entry* entry = entries_.find(job.id);
  if (entry == nullptr) {
    entries_.insert(job.id, {0, job.arrival});
    entry = entries_.find(job.id);
  }
  if (entry->queue < queue) *entry = {queue, crossed_at(job, settings_.limits[queue - 1])};
  return entry->at;
}

/// Service counts from the start of the attempt to a multiple of the quantum, and then from one
/// multiple to the next.
Instant LeastAttainedService::first_counted(const JobView& running) const {
  return quantum_end(running.running_since, settings_.quantum);
}

std::int64_t LeastAttainedService::drift(const JobView& running, Instant now) const {
  return settings_.limits.empty() && first_counted(running) <= now ? running.demand().value : 0;
}

Instant LeastAttainedService::rank_time(Instant now) const {
  return quantum_begin(now, settings_.quantum);
}

void LeastAttainedService::left(JobId job) {
  forgiven_.erase(job);
  waits_.erase(job);
  entries_.erase(job);
  list_.left(job);
}

bool LeastAttainedService::continuous() const {
  return settings_.limits.empty() && settings_.quantum == Duration::zero();
}

/// When the counted time of a running job, which is less than `time` now, reaches `time`.
Instant LeastAttainedService::reached_at(const JobView& running, WideDuration time,
                                         Instant now) const {
  const WideDuration missing = time + forgiven(running.id) - running.replica_time(now);
  const WideDuration run = std::max(WideDuration{1}, ceil_divide(missing, running.replicas()));
  return quantum_end(later(now, run), settings_.quantum);
}

LeastAttainedService::Waits LeastAttainedService::waits_of(const JobView& waiting) const {
  const Waits* known = waits_.find(waiting.id);
  if (known != nullptr && known->since == waiting.queued_since) return *known;
  Waits waits{.since = waiting.queued_since,
              .counts = counted_time(waiting, waiting.queued_since) > WideDuration::zero()};
  if (known != nullptr && known->counts) {
    waits.before = known->before + (waiting.running_since - known->since);
  }
  return waits;
}

Instant LeastAttainedService::promoted_at(const JobView& waiting) const {
  if (!settings_.promote || queue_of(waiting, waiting.queued_since) == 0) return kNever;
  const auto executed = std::chrono::duration_cast<Duration>(
      counted_time(waiting, waiting.queued_since) / waiting.replicas());
  const Duration wait = scale(executed, *settings_.promote) - waits_of(waiting).before;
  return later(waiting.queued_since, std::max(wait, Duration{1}));
}

Instant LeastAttainedService::next_change(const JobView& job, Instant now) const {
  if (!job.holds_gpus()) {
    const Instant promoted = promoted_at(job);
    return promoted > now ? promoted : kNever;
  }
  if (settings_.limits.empty()) return first_counted(job) > now ? first_counted(job) : kNever;
  const std::size_t queue = queue_of(job, now);
  const bool moves = settings_.within == Within::queue_order &&
                     ListOrder::moves_after(job, entered_at(job, queue), now);
  return moves ? now + Duration{1} : demoted_at(job, queue, now);
}

/// When a job that runs in `queue` moves to the next queue.
Instant LeastAttainedService::demoted_at(const JobView& running, std::size_t queue,
                                         Instant now) const {
  if (queue >= settings_.limits.size()) return kNever;
  return reached_at(running, time_for(settings_.limits[queue], running.share), now);
}

void LeastAttainedService::refresh(const JobView& waiting, Instant now) {
  if (promoted_at(waiting) > now) return;
  forgiven_.assign(waiting.id, waiting.attained_time);
  waits_.assign(waiting.id, {.since = waiting.queued_since});
  entries_.assign(waiting.id, {0, now});
}

Instant LeastAttainedService::overtaken_at(const JobView& running, const JobView& waiting,
                                           Instant now) const {
  if (!settings_.limits.empty()) return demoted_at(running, queue_of(running, now), now);
  const bool loses_ties =
      std::pair(running.arrival, running.id) > std::pair(waiting.arrival, waiting.id);
  const WideInteger passed = thousandths(waiting, now) + (loses_ties ? 0 : 1);
  return reached_at(running, time_for(passed, running.share), now);
}

}  // namespace mimus::scheduler
