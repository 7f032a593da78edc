// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"

namespace mimus::emulator {

/// Detects a run that would never end, because a policy that is asked again and again starts no
/// job, or because attempts are stopped for one another before their first step. It counts
/// decisions in a row of the first kind. Of the second, it counts the ends of attempts in intervals
/// of ten per job, at least a hundred, in which no job gained anything. The run stalls after ten
/// such intervals in a row, unless an attempt lasted from one interval to the next: it could be
/// training without having reported yet.
class StallGuard {
 public:
  void started(AttemptId attempt) { latest_ = attempt; }
  /// The policy has decided. `idle`: nothing runs or is to come, jobs wait, and it starts none of
  /// them. Returns true if the run stalls.
  [[nodiscard]] bool decided(bool idle) {
    idle_ = idle ? idle_ + 1 : 0;
    return idle_ >= kIdleDecisions;
  }
  static constexpr std::size_t kIdleDecisions = 100'000;
  /// A job has gained something, or something changed from outside.
  void gained() { ended_ = intervals_ = 0; }
  /// `attempt` has ended without a gain; `running` attempts are left and `jobs` jobs are in the
  /// system. Returns true if the run stalls.
  [[nodiscard]] bool ended_without_gain(AttemptId attempt, std::size_t running, std::size_t jobs);
  /// The number of attempts without a gain after which a run of `jobs` jobs stalls.
  [[nodiscard]] static std::size_t patience(std::size_t jobs);

 private:
  AttemptId latest_{};
  AttemptId latest_before_{};         ///< when the interval began
  std::size_t left_from_before_ = 0;  ///< attempts of that time that still run
  std::size_t ended_ = 0;             ///< ended in this interval
  std::size_t intervals_ = 0;         ///< in a row
  std::size_t idle_ = 0;              ///< decisions in a row
};

}  // namespace mimus::emulator
