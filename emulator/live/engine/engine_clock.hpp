// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "emulator/live/host/host_clocks.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// Rank 0's part in the clock of a live cell. Like any member it holds the clock for workers that
/// it has given something to do, and releases it while nothing runs. In the order in which rank 0
/// receives events, emulated time never decreases.
class EngineClock {
 public:
  /// Sets the clock's beginning, on which several hosts agree. `world` and `cell` must outlive it;
  /// the cell's epoch may be set later. `index`: number of the cell.
  EngineClock(const LiveWorld& world, const LiveCell& cell, int index);
  EngineClock(const EngineClock&) = delete;
  EngineClock& operator=(const EngineClock&) = delete;

  /// Wall time counts from here on; returns the beginning of emulated time.
  [[nodiscard]] WallInstant begin();
  [[nodiscard]] Duration wall_since_begin() const { return wall_now() - wall_epoch_; }
  /// Part of the wall time for which the clock was held for workers that were behind.
  [[nodiscard]] Duration held() const { return clock_.held(); }
  /// Time for which it has been standing still.
  [[nodiscard]] Duration stuck() const { return clock_.stuck(); }
  /// On the clock of the pace.
  [[nodiscard]] WallInstant pace() const { return clock_.now(); }
  [[nodiscard]] Instant now() const;
  /// Instant of the last event.
  [[nodiscard]] Instant last() const { return last_event_; }

  /// Rank 0 has reached a worker's report of `at_ns`, or now if nothing waits.
  void reached(std::int64_t at_ns);
  Instant reached(Instant deadline);
  /// An event happens now.
  Instant catch_up() { return last_event_ = now(); }
  /// An attempt that is started now begins at the instant of the event that caused it.
  [[nodiscard]] WallInstant begin_at() const;
  /// Whether all events before `at` have been received.
  [[nodiscard]] bool can_nothing_come_before(WallInstant at) const;

  /// Holds the clock until the workers of `slots` take up what they are sent.
  void hold_for(std::span<const scheduler::Slot> slots, WallInstant at);
  /// The clock does not wait any longer for a message of `rank` to be read, about what happened at
  /// `at`.
  void heard(int rank, WallInstant at);
  /// Everything has been decided that is to be decided before `at`, by what rank 0 knows.
  void may_decide_from(WallInstant at);
  /// `rank` is dead: nothing waits for it any more.
  void lose(int rank);
  /// The same for a rank that died in an earlier cell.
  void lost_before(int rank);
  void let_go_of_dead();
  /// The run ends: nothing waits for rank 0 any more.
  void leave();
  void run_errand() { clock_.run_errand(); }
  /// Sleeps until a message may have come, but not beyond `deadline`. The clock waits for rank 0 as
  /// long as messages are to come; `idle`: nothing that could send any is running. `event`: the
  /// first that has been reported and not been acted on; the far future if there is none. What
  /// follows from an event begins at its instant, so the clock does not go on before that has been
  /// decided.
  void nap(Instant deadline, WallInstant event, Duration length, bool idle);

 private:
  const LiveWorld& world_;
  const LiveCell& cell_;
  mutable kernels::PaceClock clock_;  ///< remembers what it has said
  DecisionBoard decisions_;
  bool left_ = false;
  std::optional<HostClocks> hosts_;  ///< with several hosts
  WallInstant wall_epoch_{};
  Instant last_event_{};
};

}  // namespace mimus::emulator
