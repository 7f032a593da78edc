// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/list_order.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

/// Added to an attempt's number. Of attempts that run since the same instant, those that entered
/// the list later thus stand behind those that started then.
constexpr std::int64_t kCameRunning = std::int64_t{1} << 62;

/// When the job's last attempt left the lists. An attempt that is asked to stop leaves at once.
Instant stopped_at(const JobView& waiting) {
  return std::min(waiting.asked_to_stop, waiting.queued_since);
}

}  // namespace

ListOrder::Place ListOrder::end_of_list(Instant entered) {
  return {.waits = true, .since = entered.time_since_epoch()};
}

ListOrder::Place ListOrder::while_running(const JobView& job, Instant entered) {
  const bool came_running = entered > job.running_since;
  const Instant since = came_running ? entered : job.running_since;
  return {.waits = false,
          .since = since.time_since_epoch(),
          .attempt = job.last_attempt.value() + (came_running ? kCameRunning : 0)};
}

ListOrder::Place ListOrder::last_waiting(const JobView& job, Instant entered) const {
  const Place* found = waiting_.find(job.id);
  return found == nullptr ? end_of_list(entered) : *found;
}

ListOrder::Place ListOrder::while_waiting(const JobView& job, Instant entered) const {
  const Instant stopped = stopped_at(job);
  if (job.attempts == 0 || entered >= stopped) return end_of_list(entered);
  if (stopped == job.running_since) return last_waiting(job, entered);  // as if it had not started
  const Place ran = while_running(job, entered);
  return {.waits = true,
          .since = -stopped.time_since_epoch(),
          .before = ran.since,
          .attempt = ran.attempt};
}

bool ListOrder::moves_after(const JobView& running, Instant entered, Instant now) {
  return std::max(running.running_since, entered) == now;
}

void ListOrder::place(Rank& rank, const JobView& job, std::size_t queue, Instant entered,
                      Instant now) const {
  Place place;
  if (!job.holds_gpus()) {
    place = while_waiting(job, entered);
    waiting_.assign(job.id, place);
  } else if (!moves_after(job, entered, now)) {
    place = while_running(job, entered);
  } else {
    place = entered == now ? end_of_list(entered) : last_waiting(job, entered);
  }
  const auto part = static_cast<WideInteger>(2 * queue + (place.waits ? 1 : 0));
  constexpr int kBitsOfTime = 64;
  rank.major = (part << kBitsOfTime) + place.since.count();
  rank.minor = place.before.count();
  rank.tie = place.attempt;
}

}  // namespace mimus::scheduler
