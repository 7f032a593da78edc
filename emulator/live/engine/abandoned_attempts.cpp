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

void AbandonedAttempts::abandon(AttemptId id, const RunningAttempt& running, AttemptId next,
                                const std::vector<int>& joining, const std::string& what) {
  const auto [entry, is_new] = losing_.try_emplace(id);
  if (!is_new) return;
  Losing& losing = entry->second;
  losing.detail = what;
  losing.asked = wall_now();
  losing.next = next;
  AbandonAttempt message;
  message.attempt = id.value();
  message.before = running.before.value();
  message.next = next.value();
  std::vector<int> members = running.members;
  members.insert(members.end(), joining.begin(), joining.end());
  for (const int member : members) {
    if (mailbox_.is_lost(member)) continue;
    mailbox_.send(member, message);
    losing.awaited.insert(member);
  }
}

void AbandonedAttempts::left(AttemptId id, int rank) {
  const auto found = losing_.find(id);
  if (found != losing_.end()) found->second.awaited.erase(rank);
}

void AbandonedAttempts::lose(int rank) {
  for (auto& [id, losing] : losing_) losing.awaited.erase(rank);
}

std::vector<AbandonedAttempts::Left> AbandonedAttempts::take_left() {
  std::vector<Left> all;
  for (auto& [id, losing] : losing_) {
    if (losing.awaited.empty()) all.push_back({id, losing.next, losing.detail});
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
