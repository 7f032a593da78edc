// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/shared_memory.hpp"

namespace mimus::emulator {

/// A message of one rank of a launched world to its launcher.
struct RankNote {
  std::atomic<std::int32_t> pid;          ///< 0: it has not started, or runs on another host
  std::atomic<std::int32_t> told_to_end;  ///< 1: it got SIGTERM, or its launcher kills the world
  std::atomic<std::int32_t> left;         ///< 1 + exit code, once it has said all that it has to
  std::atomic<std::int32_t> mourned;      ///< 1: it died, and rank 0 goes on without it
};

/// What a launcher and the ranks of its host say to each other past mpirun, which forwards no
/// signal but SIGUSR1 and SIGUSR2 in good order, and which does not tell who died.
class LaunchNote {
 public:
  /// Names itself in the environment that ranks inherit.
  explicit LaunchNote(int ranks);
  LaunchNote(const LaunchNote&) = delete;
  LaunchNote& operator=(const LaunchNote&) = delete;
  ~LaunchNote();

  /// Which signal asked the world to stop; the first one stays. May be called by a signal handler.
  void leave_signal(int signal) const noexcept;
  /// What rank 0 came to, once it has said so.
  [[nodiscard]] std::optional<int> exit_code() const;
  /// To be called before mpirun is killed: its ranks then end by SIGPIPE, and are not to be counted
  /// as dead by themselves.
  void tell_living_to_end() const;
  [[nodiscard]] bool any_has_started() const;
  /// Notes who has died by itself, if that is seen for the first time. To be called often: mpirun
  /// kills the others soon after the first has died, and they may not live to say who told them to.
  void notice_dead() const;
  /// The rank that was noticed first of those that have died by themselves, unless rank 0 goes on
  /// without it; else the lowest.
  [[nodiscard]] std::optional<int> first_dead() const;
  /// Whether rank 0 has started on this host and has ended.
  [[nodiscard]] bool rank_0_has_ended() const;
  /// Whether all workers answer to rank 0: before, one that dies leaves the others waiting for it.
  [[nodiscard]] bool is_formed() const;
  /// The world is to be ended unless it is formed, which from then on it cannot be. Returns whether
  /// it is not formed.
  [[nodiscard]] bool give_up_unformed() const;
  /// Whether all ranks have started on this host and have ended.
  [[nodiscard]] bool all_have_ended() const;
  /// What ranks that died by themselves leave unsaid: "rank 2 has died (process 77)"; "" where one
  /// has said why it left.
  [[nodiscard]] std::string unsaid() const;
  /// Whether a rank has said why it left.
  [[nodiscard]] bool any_has_spoken() const;
  /// That a rank has died before it could say that it had begun, and which where that is known.
  [[nodiscard]] std::string without_start() const;

 private:
  [[nodiscard]] std::span<RankNote> ranks() const;

  SharedMemory memory_;
  int count_ = 0;
};

/// To be called first by every rank of a launched world: from now on its launcher can say that it
/// has died. Elsewhere it does nothing.
void enter_launch_note();
/// This rank has said all that it has to say, and leaves with `exit_code`. May be called by a
/// signal handler.
void note_leaving(int exit_code) noexcept;

/// By rank 0: all workers answer to it. Returns false if the launcher has given the world up
/// meanwhile and ends it.
[[nodiscard]] bool note_formed() noexcept;
/// By rank 0: a worker has died, and the run goes on.
void note_survived(int rank) noexcept;

/// The signal that the user, or the batch system, sent: as the launcher has noted it, else the one
/// that came here; 0 without any.
[[nodiscard]] int users_stop_signal();

}  // namespace mimus::emulator
