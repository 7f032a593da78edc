// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Integrates time by the current cause of waiting. Jobs that wait for the same cause at every
/// instant share one clock: the time that a job has waited is the difference of two readings.
class WaitClock {
 public:
  /// From `now` on, which is not before the last instant given, time counts for `cause`.
  void turn_to(WaitCause cause, Instant now) {
    if (cause == cause_) return;
    advance(now);
    cause_ = cause;
  }
  [[nodiscard]] const WaitTimes& read(Instant now) {
    advance(now);
    return times_;
  }

 private:
  void advance(Instant now) {
    times_[static_cast<std::size_t>(cause_)] += now - since_;
    since_ = now;
  }

  WaitTimes times_{};
  WaitCause cause_ = WaitCause::capacity;
  Instant since_{};
};

}  // namespace mimus::scheduler
