// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "emulator/live/messages/loss_messages.hpp"
#include "emulator/live/mpi/mpi_world.hpp"

namespace mimus::emulator {

/// Thrown where an attempt waits, if one of its workers has died or it is cut off.
struct AbandonedError : public Error {
  AbandonedError() : Error(ExitCode::run_failed, "the attempt is to be abandoned") {}
};

/// A worker's knowledge, in one cell, of attempts whose workers have died or that are cut off, and
/// of the ranks that have come to the meetings of its gangs.
class WorkerLosses {
 public:
  WorkerLosses(Mailbox& mailbox, int cell) : mailbox_(mailbox), cell_(cell) {}

  /// Notes that `attempt`, in which this worker is or -1, must be abandoned. Rank 0 is told when
  /// left() is called, or at once if the worker is in neither attempt and is not about to be:
  /// `begins`.
  void abandon(const AbandonAttempt& message, std::int64_t attempt, bool begins);
  [[nodiscard]] bool is_abandoned(std::int64_t attempt) const { return gone_.contains(attempt); }
  /// The same for an attempt all of whose workers live.
  [[nodiscard]] bool is_cut_off(std::int64_t attempt) const { return cut_off_.contains(attempt); }
  /// The worker has given back what it held of its attempt.
  void left();

  void meet(const GangMeets& message, int source);
  /// Ranks that have come to the meeting.
  [[nodiscard]] const std::set<int>& met(std::int64_t attempt, std::int32_t number);
  [[nodiscard]] GangMeets meeting(std::int64_t attempt, std::int32_t number) const {
    return {.cell = cell_, .attempt = attempt, .number = number};
  }

 private:
  Mailbox& mailbox_;
  int cell_;
  std::set<std::int64_t> gone_;     ///< attempts
  std::set<std::int64_t> cut_off_;  ///< of these
  std::vector<std::int64_t> owed_;  ///< attempts that rank 0 must be told of
  std::map<std::pair<std::int64_t, std::int32_t>, std::set<int>> met_;
};

}  // namespace mimus::emulator
