// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

// What is said where a process may die, or has died.

/// A worker has completed all that the ranks of a world do together: from now on it answers to
/// messages, and none of its waits is unlimited.
struct WorkerServes {
  static constexpr auto kKind = MessageKind::worker_serves;
  void visit(auto&&) {}
};

/// Between members of a gang: here, and ready for a call that cannot be abandoned.
struct GangMeets {
  static constexpr auto kKind = MessageKind::gang_meets;
  std::int32_t cell = 0;
  std::int64_t attempt = -1;
  std::int32_t number = 0;  ///< of the attempt's meetings, from 1
  void visit(auto&& f) { f(cell), f(attempt), f(number); }
};

/// To the remaining members: a worker of the attempt has died, or all live and their attempt is cut
/// off. It may just have continued from another one, or be about to continue as another one. Each
/// member gives back what it holds and reports this, also a member that is in none of them.
struct AbandonAttempt {
  static constexpr auto kKind = MessageKind::abandon_attempt;
  std::int64_t attempt = -1;
  std::int64_t before = -1;  ///< -1: none
  std::int64_t next = -1;    ///< -1: none
  bool all_live = false;
  void visit(auto&& f) { f(attempt), f(before), f(next), f(all_live); }
};

struct AttemptAbandoned {
  static constexpr auto kKind = MessageKind::attempt_abandoned;
  std::int64_t attempt = -1;
  void visit(auto&& f) { f(attempt); }
};

/// From a host that is not rank 0's: one of its ranks has died.
struct RankLost {
  static constexpr auto kKind = MessageKind::rank_lost;
  std::int32_t rank = -1;
  std::string doing;  ///< when it died
  void visit(auto&& f) { f(rank), f(doing); }
};

/// From every rank of a host that is not rank 0's, this often.
inline constexpr Duration kHostAliveInterval = std::chrono::seconds{2};
struct HostAlive {
  static constexpr auto kKind = MessageKind::host_alive;
  void visit(auto&&) {}
};

/// To one rank of a host: one of its GPUs is lost, and none of that GPU's tenants is left.
struct ForgetGpu {
  static constexpr auto kKind = MessageKind::forget_gpu;
  std::int32_t gpu = -1;
  void visit(auto&& f) { f(gpu); }
};

}  // namespace mimus::emulator
