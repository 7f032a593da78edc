// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "emulator/live/host/host_clocks.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"

namespace mimus::emulator {

/// Rank 0's part in the clock that a live cell goes by: it holds the clock as any other member
/// does, for workers that it has given something to do, and lets it go where nothing runs. What
/// rank 0 has been told of never goes back in emulated time.
class EngineClock {
 public:
  /// To the clock's beginning; with other hosts it is one that they agree on. `world` and `cell`
  /// must outlive it; of the cell the epoch may be set later. `index`: number of the cell.
  EngineClock(const LiveWorld& world, const LiveCell& cell, int index);
  EngineClock(const EngineClock&) = delete;
  EngineClock& operator=(const EngineClock&) = delete;

  /// Wall time counts from here on; returns where emulated time is to begin.
  [[nodiscard]] WallInstant begin();
  [[nodiscard]] Duration wall_since_begin() const { return wall_now() - wall_epoch_; }
  /// Of the wall time, how long the clock was held for workers that were behind.
  [[nodiscard]] Duration held() const { return clock_.held(); }
  /// How long it has been standing still.
  [[nodiscard]] Duration stuck() const { return clock_.stuck(); }
  /// On the clock of the pace.
  [[nodiscard]] WallInstant pace() const { return clock_.now(); }
  [[nodiscard]] Instant now() const;
  /// Of the last event.
  [[nodiscard]] Instant last() const { return last_event_; }

  /// Rank 0 has got to what a worker reports of `at_ns`, or to now where nothing waits.
  void reached(std::int64_t at_ns);
  Instant reached(Instant deadline);
  /// An event happens now.
  Instant catch_up() { return last_event_ = now(); }
  /// What is started now begins when the event happened that it follows from.
  [[nodiscard]] WallInstant begin_at() const;
  /// Whether all has been heard that has happened before `at`.
  [[nodiscard]] bool can_nothing_come_before(WallInstant at) const;

  /// Until the workers of `slots` take up what they are sent.
  void hold_for(std::span<const scheduler::Slot> slots, WallInstant at);
  /// The clock does not wait any longer for a message of `rank` to be read.
  void heard(int rank);
  /// Nothing waits for `rank` any more, which is dead.
  void lose(int rank);
  /// The same of one that had died in a cell before.
  void lost_before(int rank);
  void let_go_of_dead();
  /// The run ends: nothing waits for rank 0 any more.
  void leave() { clock_.leave(); }
  void run_errand() { clock_.run_errand(); }
  /// Until a message may have come, and not beyond `deadline`. The clock waits for rank 0 as long
  /// as messages are to come; `idle`: nothing runs of which any could.
  void nap(Instant deadline, Duration length, bool idle);

 private:
  const LiveWorld& world_;
  const LiveCell& cell_;
  mutable kernels::PaceClock clock_;  ///< remembers what it has said
  std::optional<HostClocks> hosts_;   ///< where there are several
  WallInstant wall_epoch_{};
  Instant last_event_{};
};

}  // namespace mimus::emulator
