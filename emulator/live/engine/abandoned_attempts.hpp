// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emulator/live/engine/running_attempts.hpp"
#include "emulator/live/messages/loss_messages.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// Attempts that lack a worker or are cut off, until their members have left them, and the last
/// attempt that each rank was told to run: a rank may die while others are still leaving that
/// attempt.
class AbandonedAttempts {
 public:
  /// `world` and `mailbox` must outlive it. A rank that has not left an attempt after `patience`
  /// (wall time) is ended.
  AbandonedAttempts(const LiveWorld& world, Mailbox& mailbox, Duration patience)
      : world_(world), mailbox_(mailbox), patience_(patience) {}

  /// The reason for which attempts are left.
  struct Cause {
    scheduler::EndReason reason = scheduler::EndReason::worker_lost;
    std::string what;
    NodeId node{};  ///< the cause; else none
    /// Otherwise a worker has died.
    [[nodiscard]] bool all_live() const { return reason != scheduler::EndReason::worker_lost; }
  };
  /// An attempt that all members have left.
  struct Left {
    AttemptId attempt;
    AttemptId next;  ///< as which it may have continued; else none
    Cause cause;
  };

  /// All members of `running` have been told to run it.
  void joined(AttemptId id, const RunningAttempt& running);
  /// They have left the attempt before.
  void left_before(const RunningAttempt& running);
  /// Whether `rank` was told last to run this attempt.
  [[nodiscard]] bool was_last_of(int rank, AttemptId id) const;
  /// Makes the members leave the attempt that `rank` was told last to run, unless that still runs.
  void abandon_last_of(int rank, const RunningAttempts& running);

  /// Makes the members of `joining` and of `running` leave an attempt, once. `next`: as which it
  /// may continue. If all live, joining members are told after the others, whom they may be about
  /// to meet.
  void abandon(AttemptId id, const RunningAttempt& running, AttemptId next,
               const std::vector<int>& joining, const Cause& cause);
  /// An attempt that no worker knows of.
  void add_left(AttemptId id, const std::string& what) { losing_[id].cause.what = what; }
  /// `rank` has given back what it held.
  void left(AttemptId id, int rank);
  /// No attempt waits for `rank` any more, because it has died.
  void lose(int rank);
  /// Returns the attempts that all members have left.
  [[nodiscard]] std::vector<Left> take_left();
  [[nodiscard]] bool contains(AttemptId id) const { return losing_.contains(id); }
  [[nodiscard]] bool empty() const { return losing_.empty(); }
  /// A member that was in an MPI call when another one died may never return from it. The clock
  /// waits for it, and others would give up only after the whole time. Throws TimeoutError for a
  /// member on another host after twice `patience`.
  void end_unresponsive() const;

 private:
  void end_unresponsive(int rank, AttemptId id, Duration waited) const;

  struct Losing {
    Cause cause;
    AbandonAttempt message{};
    std::set<int> awaited{};     ///< ranks
    std::vector<int> joining{};  ///< that are not yet told
    WallInstant asked{};
  };
  void tell(Losing& losing, const std::vector<int>& ranks);
  void tell_joining();
  struct Membership {
    AttemptId attempt;
    AttemptId before;
    std::vector<int> ranks;  ///< of both
  };

  const LiveWorld& world_;
  Mailbox& mailbox_;
  Duration patience_;
  std::map<AttemptId, Losing> losing_;
  std::map<int, Membership> running_last_;  ///< by rank
};

}  // namespace mimus::emulator
