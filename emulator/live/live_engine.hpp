// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "emulator/engine.hpp"
#include "emulator/live/live_cell.hpp"
#include "emulator/live/live_world.hpp"
#include "emulator/live/mpi_world.hpp"

namespace mimus::emulator {

/// A worker process has died.
class WorkerLostError : public Error {
 public:
  explicit WorkerLostError(const std::string& message) : Error(ExitCode::run_failed, message) {}
};

/// Rank 0's side of a live cell: real time, real workers.
class LiveEngine : public Engine {
 public:
  /// Tells all workers to begin cell number `index` of the campaign and waits for them.
  LiveEngine(const LiveWorld& world, Mailbox& mailbox, LiveCell cell, int index);
  LiveEngine(const LiveEngine&) = delete;
  LiveEngine& operator=(const LiveEngine&) = delete;

  [[nodiscard]] std::string name() const override { return "live"; }
  [[nodiscard]] Instant now() const override;
  void start(const Attempt& attempt) override;
  void stop(AttemptId attempt) override;
  void retune(AttemptId attempt, const scheduler::BatchPlan& batch) override;
  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override;

  /// Ends every running attempt at its next step boundary, without checkpoints; false when some
  /// did not end within `patience`.
  [[nodiscard]] bool wind_down(Duration patience);
  /// Ends the cell on the workers. Nothing may be running.
  void end_cell();

 private:
  struct Running {
    scheduler::Allocation allocation;
    std::int64_t commands = 0;
    WallInstant last_heard{};
    Duration patience{};  ///< silence longer than this means that something hangs
  };

  /// False when no worker has anything to report.
  bool receive(std::vector<TimedEvent>& happened);
  [[nodiscard]] std::optional<EngineEvent> translate(const Envelope& envelope);
  Instant reached();
  template <class Command>
  void command(AttemptId attempt, Command message);
  void watch(WallInstant wall);
  void check_processes() const;
  [[nodiscard]] std::string where_is(int rank) const;

  const LiveWorld& world_;
  Mailbox& mailbox_;
  LiveCell cell_;
  std::map<AttemptId, Running> running_;
  /// A gang's last message carries its last windows and its end: two events.
  std::optional<scheduler::AttemptEnded> pending_end_;
  Instant last_event_{};
  WallInstant last_watch_{};
};

}  // namespace mimus::emulator
