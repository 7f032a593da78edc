// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/pacing/pace_clock.hpp"

namespace mimus::emulator {

/// How far rank 0 has decided, in memory that the ranks of a host share. A member of a gang can
/// thus tell whether it has all commands that were decided by some instant of the pace clock,
/// however long messages take on the host. On other hosts than rank 0's it holds what rank 0 last
/// answered.
class DecisionBoard {
 public:
  /// Bytes of shared memory for the ranks of a world of this size.
  [[nodiscard]] static std::size_t bytes_needed(int ranks);
  /// Over memory that is zero-filled or already in use by others, which must outlive it. `away`:
  /// rank 0 is on another host.
  DecisionBoard(std::span<std::byte> memory, int ranks, bool away);

  /// Nothing has been decided.
  void reset() noexcept;

  /// For rank 0: by what it knows, it decides nothing more before `at`.
  void open_from(WallInstant at) noexcept;
  /// It has been told of what happened at `at`, on which it may act.
  void reopen_from(WallInstant at) noexcept;
  [[nodiscard]] WallInstant open_from() const;
  /// Command number `number` of `attempt` has been sent to `rank`.
  void sent(int rank, std::int64_t attempt, std::int64_t number) noexcept;

  /// Of the last command to `rank`, for another host's board.
  [[nodiscard]] std::int64_t last_command(int rank) const;
  /// On another host: rank 0's answer for `rank`, and for all ranks; older ones have no effect.
  void follow_command(int rank, std::int64_t last_command) noexcept;
  void follow(WallInstant settled) noexcept;

  /// Everything that was decided before this instant has been sent. `clock`: of this host.
  [[nodiscard]] WallInstant settled(const kernels::PaceClock& clock) const;
  /// How many commands to `attempt` have been sent to `rank`. If it is read after settled(), it
  /// includes what was decided before that instant.
  [[nodiscard]] std::int64_t commands_to(int rank, std::int64_t attempt) const;

 private:
  struct Shared {
    std::atomic<std::int64_t> until_ns;  ///< open_from() of rank 0's host, settled() of others
  };

  Shared* shared_;
  /// By rank: the attempt and the number in one word, so that both belong together.
  std::span<std::atomic<std::int64_t>> commands_;
  bool away_;
};

}  // namespace mimus::emulator
