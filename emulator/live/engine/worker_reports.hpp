// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "emulator/live/engine/event_order.hpp"
#include "emulator/live/engine/live_state.hpp"
#include "emulator/live/engine/worker_watch.hpp"

namespace mimus::emulator {

/// What workers report to rank 0, and how it becomes events of the engine, in the order in which it
/// happened on the workers.
class WorkerReports {
 public:
  /// Both must outlive it.
  WorkerReports(LiveState& state, WorkerWatch& watch) : state_(state), watch_(watch) {}

  /// Adds the next events to `happened`. An event is passed on only when nothing earlier can come
  /// any more. False if no worker has anything to report before `until`. Throws the error that a
  /// worker reports.
  bool receive(std::vector<TimedEvent>& happened, Instant until = kNever);
  /// When the first report was made that has not been passed on; the far future if there is none.
  [[nodiscard]] WallInstant first() const { return heard_.first(); }
  [[nodiscard]] bool can_nothing_come_before(WallInstant at) const;
  /// Acts on a message. Returns the event that it reports, if any.
  std::optional<EngineEvent> translate(const Envelope& envelope);
  /// Keeps a message that has come while attempts are being cut off.
  void hear_while_cutting(Envelope envelope);

 private:
  void hear(const Envelope& envelope);
  [[nodiscard]] bool take_next(std::vector<TimedEvent>& happened, Instant until);
  void append(EngineEvent event, std::vector<TimedEvent>& happened);
  [[nodiscard]] EngineEvent started(const StartedMessage& message);
  [[nodiscard]] EngineEvent suspended(const SuspendedMessage& message);
  [[nodiscard]] EngineEvent resumed(const ResumedMessage& message);
  [[nodiscard]] EngineEvent saved(const SavedMessage& message);
  [[nodiscard]] EngineEvent progressed(ProgressMessage message);
  [[nodiscard]] EngineEvent ended(EndedMessage message);

  LiveState& state_;
  WorkerWatch& watch_;
  EventOrder heard_;             ///< received from workers, not yet passed on
  std::vector<Envelope> early_;  ///< of attempts that are to follow others
  /// A gang's last message carries its last windows and its end: two events.
  std::optional<scheduler::AttemptEnded> pending_end_;
};

}  // namespace mimus::emulator
