// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "emulator/live/gang/step_windows.hpp"
#include "kernels/training_step.hpp"

namespace mimus::emulator {

/// When an attempt's steps begin and how many of them run as one. Short steps are run several at a
/// time, so that each executed one is long enough for the host's timers. Times are on the clock of
/// the pace.
class StepTimeline {
 public:
  /// `cell` must outlive it. `paced`: the device makes a step as long as it is modelled.
  StepTimeline(const LiveCell& cell, bool paced) : cell_(cell), paced_(paced) {}

  /// Time of a step alone from now on, emulated.
  void set_modelled(Duration step) {
    modelled_ = step;
    own_step_ = shortest_step_ = {};
  }
  /// Number of steps that together last as long as the host's timers need. The time of a paced step
  /// is known; for a device that is not paced the previous step shows it.
  [[nodiscard]] int wanted() const;
  /// This member's last step; zero before the first one at the present time of a step. [wall]
  [[nodiscard]] Duration own_step() const { return own_step_; }
  /// Of devices that are not paced: the most steps that the members execute as one. `shortest`: the
  /// least own_step() of all members.
  void agree_on(std::int64_t most, Duration shortest);
  /// At most `left`, the number until the next event, at least 1.
  [[nodiscard]] int choose(std::int64_t left) const;
  /// Time after which no member has made this number of steps, as far as is known. Tenants that
  /// leave a GPU make a step shorter than the last one, but no shorter than it is alone. [wall]
  [[nodiscard]] Duration shortest(int steps) const;
  /// Upper limit of the time of this number of steps: tenants of all lanes take turns on the
  /// device, and the last step shows the rest. [wall]
  [[nodiscard]] Duration longest(int steps) const;

  /// The next step does not follow the last one immediately.
  void interrupted() { measured_until_ = {}; }
  /// Begin and end of an executed step, which was scheduled to begin at `begin` and has ended
  /// `now`: measured from one step's real end to the next one's, so that a window's mean is wall
  /// time.
  void executed(ExecutedStep& step, WallInstant begin, const kernels::StepOutcome& made,
                WallInstant now);
  /// Of the last step.
  [[nodiscard]] WallInstant scheduled_end() const { return scheduled_end_; }
  /// Begin of the next step: the scheduled end of this one, so that wake-up delays are made up for.
  /// If the clock does not wait, a host that is behind by more than a few milliseconds and half a
  /// step cannot keep up. Delays that cannot be made up for are kept in the timeline and recorded
  /// in the step.
  [[nodiscard]] WallInstant next_begin(ExecutedStep& step, bool clock_waits);

 private:
  const LiveCell& cell_;
  bool paced_;
  Duration modelled_{};
  int most_ = 1;
  Duration step_wall_{};  ///< of the last step
  Duration own_step_{};
  Duration shortest_step_{};      ///< of any member
  WallInstant scheduled_end_{};   ///< likewise
  WallInstant measured_until_{};  ///< real end of the last step
};

}  // namespace mimus::emulator
