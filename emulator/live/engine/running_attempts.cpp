// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/running_attempts.hpp"

#include <algorithm>
#include <utility>

namespace mimus::emulator {

std::vector<int> ranks_of(const scheduler::Allocation& allocation) {
  std::vector<int> ranks;
  for (const auto& slot : allocation.slots) ranks.push_back(rank_of(slot.lane));
  return ranks;
}

RunningAttempt::RunningAttempt(const Attempt& attempt)
    : job(attempt.job),
      allocation(attempt.allocation),
      last_heard(wall_now()),
      samples_kept(attempt.samples_kept),
      fail_at(attempt.fail_at),
      fail_reason(attempt.fail_reason),
      members(ranks_of(attempt.allocation)) {}

const RunningAttempt* RunningAttempts::find(AttemptId id) const {
  const auto found = running_.find(id);
  return found == running_.end() ? nullptr : &found->second;
}

Instant RunningAttempts::first_failure() const {
  Instant first = kNever;
  for (const auto& [id, running] : running_) first = std::min(first, running.fail_at);
  return first;
}

bool RunningAttempts::wakes(AttemptId id) {
  const auto found = running_.find(id);
  return found != running_.end() && std::exchange(found->second.is_suspended, false);
}

void RunningAttempts::is_alive(AttemptId id) {
  const auto found = running_.find(id);
  if (found != running_.end()) found->second.last_heard = wall_now();
}

}  // namespace mimus::emulator
