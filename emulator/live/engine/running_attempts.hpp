// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator/engine.hpp"
#include "emulator/live/host/decision_board.hpp"
#include "emulator/live/messages/command_messages.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/world/live_cell.hpp"

namespace mimus::emulator {

struct RunningAttempt {
  RunningAttempt() = default;
  explicit RunningAttempt(const Attempt& attempt);

  JobId job;
  scheduler::Allocation allocation;
  std::int64_t commands = 0;  ///< so far
  WallInstant last_heard{};
  double samples_kept = 0.0;  ///< where the job falls back to
  Instant fail_at = kNever;   ///< failure by the plan, whatever its progress
  std::string fail_reason;
  AttemptId before;           ///< the one that continued as this one
  std::vector<int> members;   ///< ranks of both
  bool is_suspended = false;  ///< and its members wait for a command
};

[[nodiscard]] std::vector<int> ranks_of(const scheduler::Allocation& allocation);

/// Attempts that rank 0 has started and whose end it has not received. Their members are sent
/// commands, numbered from 1 in the order in which they are given.
class RunningAttempts {
 public:
  using Map = std::map<AttemptId, RunningAttempt>;

  /// `mailbox` must outlive it.
  RunningAttempts(Mailbox& mailbox, const DecisionBoard& decisions)
      : mailbox_(mailbox), decisions_(decisions) {}

  RunningAttempt& add(AttemptId id, RunningAttempt running) {
    return running_[id] = std::move(running);
  }
  void erase(AttemptId id) { running_.erase(id); }
  [[nodiscard]] const RunningAttempt* find(AttemptId id) const;
  [[nodiscard]] const RunningAttempt& at(AttemptId id) const { return running_.at(id); }
  [[nodiscard]] bool contains(AttemptId id) const { return running_.contains(id); }
  /// The instant of the first planned failure; kNever: none.
  [[nodiscard]] Instant first_failure() const;
  [[nodiscard]] bool empty() const { return running_.empty(); }
  [[nodiscard]] Map::const_iterator begin() const { return running_.begin(); }
  [[nodiscard]] Map::const_iterator end() const { return running_.end(); }

  /// Its members wait for a command from now on.
  void suspended(AttemptId id) { running_.at(id).is_suspended = true; }
  /// Its job falls back to this from now on [samples at M₀].
  void saved(AttemptId id, double samples) { running_.at(id).samples_kept = samples; }
  /// It is about to be sent a command. Returns whether its members wait for one.
  [[nodiscard]] bool wakes(AttemptId id);
  /// It makes progress. An attempt that continues from one whose end has not been returned yet is
  /// not known.
  void is_alive(AttemptId id);
  /// Sends to every member; no effect for an attempt that has ended.
  template <class Command>
  void command(AttemptId id, Command message);

 private:
  Mailbox& mailbox_;
  DecisionBoard decisions_;
  Map running_;
};

template <class Command>
void RunningAttempts::command(AttemptId id, Command message) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  message.attempt = id.value();
  message.number = ++found->second.commands;
  for (const int rank : ranks_of(found->second.allocation)) {
    mailbox_.send(rank, message);
    decisions_.sent(rank, message.attempt, message.number);
  }
}

}  // namespace mimus::emulator
