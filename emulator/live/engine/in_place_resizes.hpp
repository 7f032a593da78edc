// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "emulator/live/engine/running_attempts.hpp"
#include "emulator/live/messages/joining_messages.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// Rank 0's side of gangs that grow, shrink or move without a restart. New members prepare, then
/// the gang is told, and at its next step boundary it continues as another attempt.
class InPlaceResizes {
 public:
  /// All references must outlive it.
  InPlaceResizes(const LiveWorld& world, Mailbox& mailbox, const LiveCell& cell,
                 RunningAttempts& running)
      : world_(world), mailbox_(mailbox), cell_(cell), running_(running) {}

  /// A gang that is about to continue as another one.
  struct Resize {
    StartMessage next;
    RunningAttempt running;       ///< from the boundary on
    std::vector<int> joining;     ///< ranks
    std::set<int> not_ready;      ///< of these
    std::int64_t decided_ns = 0;  ///< of the command to the gang: when the last one was ready
    WallInstant asked{};          ///< on the clock of the pace
    Duration patience{};          ///< with those that are not ready
  };

  /// On the clock of the pace.
  struct Times {
    WallInstant at;  ///< when it is decided
    WallInstant now;
    std::int64_t decided_ns = 0;  ///< see command_messages.hpp
    std::int64_t cut_ns = 0;      ///< see StartMessage
  };
  /// Of an attempt that runs.
  void begin(AttemptId from, const Attempt& to, const Times& times);
  void joiner_ready(const JoinerReady& ready, int rank);
  /// The attempt has ended. Returns the one that runs from here on, if any; otherwise members that
  /// wait to join are released.
  [[nodiscard]] std::optional<AttemptId> ended(const EndedMessage& message);
  void erase(AttemptId from) { resizes_.erase(from); }
  /// Whether the attempt will follow one that has not ended.
  [[nodiscard]] bool is_to_follow(AttemptId to) const;
  /// The attempt that will follow `from`; null if none.
  [[nodiscard]] const Resize* find(AttemptId from) const;
  /// A member that is ready waits for the others and for the gang, which trains on without them.
  /// Throws TimeoutError if one of them does not come; the clock has been standing still for
  /// `stuck`.
  void watch(WallInstant now, Duration stuck) const;

 private:
  void tell_gang(AttemptId from, const Resize& resize);

  const LiveWorld& world_;
  Mailbox& mailbox_;
  const LiveCell& cell_;
  RunningAttempts& running_;
  std::map<AttemptId, Resize> resizes_;  ///< by the attempts that end
};

}  // namespace mimus::emulator
