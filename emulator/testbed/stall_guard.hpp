// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"

namespace mimus::emulator {

/// Notices a run that would never end: attempts are stopped for one another before their first
/// step, for ever. It is told of every attempt and looks at intervals in which ten attempts per job
/// ended, a hundred at least, and none gained anything. Ten of them in a row in which no attempt
/// lasted from one to the next, where it could be training unreported, are a stall.
class StallGuard {
 public:
  void started(AttemptId attempt) { latest_ = attempt; }
  /// Something was gained, or changed from outside.
  void gained() { ended_ = intervals_ = 0; }
  /// `attempt` has ended without a gain and left `running` of those that were started; `jobs` are
  /// in the system. True when the run stalls.
  [[nodiscard]] bool ended_without_gain(AttemptId attempt, std::size_t running, std::size_t jobs);
  /// How many attempts have ended without a gain when a run of `jobs` jobs stalls.
  [[nodiscard]] static std::size_t patience(std::size_t jobs);

 private:
  AttemptId latest_{};
  AttemptId latest_before_{};         ///< when the interval began
  std::size_t left_from_before_ = 0;  ///< attempts of then that still run
  std::size_t ended_ = 0;             ///< in the interval
  std::size_t intervals_ = 0;         ///< in a row
};

}  // namespace mimus::emulator
