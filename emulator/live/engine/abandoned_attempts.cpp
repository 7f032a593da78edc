// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/abandoned_attempts.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "base/log.hpp"

namespace mimus::emulator {

void AbandonedAttempts::joined(AttemptId id, const RunningAttempt& running) {
  for (const int rank : running.members) {
    running_last_[rank] = {id, running.before, running.members};
  }
}

void AbandonedAttempts::left_before(const RunningAttempt& running) {
  const auto now = ranks_of(running.allocation);
  for (const int rank : running.members) {
    if (std::ranges::find(now, rank) == now.end()) running_last_.erase(rank);
  }
}

bool AbandonedAttempts::was_last_of(int rank, AttemptId id) const {
  const auto last = running_last_.find(rank);
  return last != running_last_.end() && last->second.attempt == id;
}

void AbandonedAttempts::abandon_last_of(int rank, const RunningAttempts& running) {
  const auto last = running_last_.find(rank);
  if (last == running_last_.end() || running.contains(last->second.attempt)) return;
  AbandonAttempt message;
  message.attempt = last->second.attempt.value();
  message.before = last->second.before.value();
  for (const int member : last->second.ranks) mailbox_.send(member, message);
}

/// If a worker dies while an attempt is cut off, the others must not wait for it to come to them.
void AbandonedAttempts::abandon(AttemptId id, const RunningAttempt& running, AttemptId next,
                                const std::vector<int>& joining, const Cause& cause) {
  const auto [entry, is_new] = losing_.try_emplace(id);
  Losing& losing = entry->second;
  if (!is_new && losing.message.all_live == cause.all_live()) return;
  if (!is_new && cause.all_live()) return;
  if (is_new) losing.cause = cause;
  losing.asked = wall_now();
  losing.message = {.attempt = id.value(),
                    .before = running.before.value(),
                    .next = next.value(),
                    .all_live = cause.all_live()};
  tell(losing, running.members);
  if (cause.all_live()) {
    losing.joining = joining;
  } else {
    losing.joining.clear();
    tell(losing, joining);
  }
}

void AbandonedAttempts::tell(Losing& losing, const std::vector<int>& ranks) {
  for (const int rank : ranks) {
    if (mailbox_.is_lost(rank)) continue;
    mailbox_.send(rank, losing.message);
    losing.awaited.insert(rank);
  }
}

void AbandonedAttempts::tell_joining() {
  for (auto& [id, losing] : losing_) {
    if (losing.awaited.empty()) tell(losing, std::exchange(losing.joining, {}));
  }
}

void AbandonedAttempts::left(AttemptId id, int rank) {
  const auto found = losing_.find(id);
  if (found != losing_.end()) found->second.awaited.erase(rank);
  tell_joining();
}

void AbandonedAttempts::lose(int rank) {
  for (auto& [id, losing] : losing_) losing.awaited.erase(rank);
  tell_joining();
}

std::vector<AbandonedAttempts::Left> AbandonedAttempts::take_left() {
  std::vector<Left> all;
  for (auto& [id, losing] : losing_) {
    if (!losing.awaited.empty()) continue;
    all.push_back({id, AttemptId{losing.message.next}, losing.cause});
  }
  std::erase_if(losing_, [](const auto& entry) { return entry.second.awaited.empty(); });
  return all;
}

void AbandonedAttempts::end_unresponsive() const {
  const WallInstant now = wall_now();
  for (const auto& [id, losing] : losing_) {
    const Duration waited = now - losing.asked;
    if (waited <= patience_) continue;
    for (const int rank : losing.awaited) end_unresponsive(rank, id, waited);
  }
}

/// A rank of another host may have died with all others of that host, which could have told it. It
/// is then lost with its host, a little later than ranks of this host are ended.
void AbandonedAttempts::end_unresponsive(int rank, AttemptId id, Duration waited) const {
  const auto pid = world_.host().statuses()[static_cast<std::size_t>(rank)].pid.load();
  if (pid != 0) {
    log::warn("{} did not leave attempt {} and is ended", world_.where_is(rank), id.value());
    ::kill(static_cast<pid_t>(pid), SIGKILL);
  } else if (waited > 2 * patience_) {
    throw TimeoutError("abandoning an attempt", waited,
                       fmt::format("attempt {} waits for {}", id.value(), world_.where_is(rank)));
  }
}

}  // namespace mimus::emulator
