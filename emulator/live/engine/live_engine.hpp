// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>

#include "emulator/engine.hpp"
#include "emulator/live/engine/abandoned_attempts.hpp"
#include "emulator/live/engine/engine_clock.hpp"
#include "emulator/live/engine/event_order.hpp"
#include "emulator/live/engine/in_place_resizes.hpp"
#include "emulator/live/engine/lost_gpus.hpp"
#include "emulator/live/engine/running_attempts.hpp"
#include "emulator/live/engine/worker_devices.hpp"
#include "emulator/live/engine/worker_processes.hpp"
#include "emulator/node_outages.hpp"

namespace mimus::emulator {

/// Rank 0's side of a live cell: real workers, on a clock that waits for those that are behind.
/// Reports of workers bear their scheduled instants, and what follows from a report happens at the
/// same instant: neither messages nor decisions take emulated time.
class LiveEngine : public Engine {
 public:
  /// Tells all workers to begin cell number `index` of the campaign and waits for them.
  /// Measurements of their devices go to `sink`, which outlives the engine. Emulated time stands
  /// still until begin_clock().
  LiveEngine(const LiveWorld& world, Mailbox& mailbox, LiveCell cell, int index, DeviceSink& sink);
  LiveEngine(const LiveEngine&) = delete;
  LiveEngine& operator=(const LiveEngine&) = delete;

  [[nodiscard]] std::string name() const override { return "live"; }
  [[nodiscard]] const WorkerDevices& devices() const { return devices_; }
  /// GPUs of the cell whose workers have died, also in earlier cells.
  [[nodiscard]] const std::set<GpuId>& lost_gpus() const { return lost_gpus_.all(); }
  /// Emulated time begins, on every rank; nothing is started before. Setting up workers can take
  /// seconds, which jobs would otherwise spend waiting for them.
  void begin_clock();
  /// Wall time since then, and how much of it the clock was held for workers that were behind.
  [[nodiscard]] Duration wall_since_begin() const { return clock_.wall_since_begin(); }
  [[nodiscard]] Duration clock_held() const { return clock_.held(); }
  [[nodiscard]] Instant now() const override { return clock_.now(); }
  void start(const Attempt& attempt) override;
  void stop(AttemptId attempt) override;
  void retune(AttemptId attempt, const scheduler::BatchPlan& batch) override;
  void resize(AttemptId from, const Attempt& to) override;
  /// Throws UsageError if devices are not emulated and paced.
  void limit(AttemptId attempt, const scheduler::DeviceLimits& limits) override;
  void read(AttemptId attempt, double samples_per_second) override;
  /// Throws UsageError if devices that are not emulated would have to give back memory.
  void suspend(AttemptId attempt, scheduler::SuspendedMemory keeps) override;
  void resume(AttemptId attempt) override;
  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override;

  /// The next message of a kind from a worker, while nothing runs. Throws TimeoutError naming
  /// `stage`, with `detail`, if it does not come within the stage timeout from `asked` on; throws
  /// as next() if a worker fails or the run must stop.
  [[nodiscard]] Envelope await(MessageKind kind, WallInstant asked, std::string_view stage,
                               const std::string& detail);
  /// Makes every sampled device take one more sample, and waits for it at most `patience`. Nothing
  /// may be running.
  void collect_samples(Duration patience);
  /// Ends every running attempt at its next step boundary, without checkpoints. False if some did
  /// not end within `patience`, or a worker failed, which is reported.
  [[nodiscard]] bool wind_down(Duration patience);
  /// Ends the cell on the workers. Nothing may be running.
  void end_cell();

 private:
  void check_limits(const scheduler::DeviceLimits& limits) const;
  [[nodiscard]] std::int64_t wake(AttemptId attempt);
  void await_workers();
  void await_more(WallInstant asked, std::string_view stage, const std::string& detail,
                  Backoff& backoff);
  void take_early(const Envelope& envelope);
  void watch(WallInstant wall);
  void watch_silent(WallInstant wall) const;
  [[noreturn]] void nothing_left_to_happen() const;

  // live_events.cpp
  /// False if no worker has anything to report before `until`.
  bool receive(std::vector<TimedEvent>& happened, Instant until = kNever);
  [[nodiscard]] bool take_next(std::vector<TimedEvent>& happened, Instant until);
  void append(EngineEvent event, std::vector<TimedEvent>& happened);
  [[nodiscard]] std::optional<EngineEvent> translate(const Envelope& envelope);
  [[nodiscard]] EngineEvent started(const StartedMessage& message);
  [[nodiscard]] EngineEvent suspended(const SuspendedMessage& message);
  [[nodiscard]] EngineEvent resumed(const ResumedMessage& message);
  [[nodiscard]] EngineEvent progressed(ProgressMessage message);
  [[nodiscard]] EngineEvent ended(EndedMessage message);
  [[nodiscard]] bool can_nothing_come_before(WallInstant at) const;

  // live_strikes.cpp
  [[nodiscard]] std::int64_t cut_of(const Attempt& attempt) const;
  [[nodiscard]] Instant next_strike(Instant deadline) const;
  void strike(Instant at);
  void hit(NodeId node, scheduler::EndReason reason, const std::string& detail);
  void cut_off(AttemptId attempt, const AbandonedAttempts::Cause& cause);
  void await_cut_off(const std::vector<AttemptId>& attempts);
  void hear_while_cutting(Envelope envelope);

  // live_losses.cpp
  void heard_from(const Envelope& envelope);
  void look_for_losses();
  void lose(const WorkerProcesses::Death& death);
  void lose_gpu_of(int rank, const std::string& what);
  void abandon_with(int rank, const std::string& what);
  void end_abandoned();

  const LiveWorld& world_;
  Mailbox& mailbox_;
  LiveCell cell_;
  EngineClock clock_;
  WorkerDevices devices_;
  WorkerProcesses processes_;
  RunningAttempts running_;
  InPlaceResizes resizes_;
  AbandonedAttempts abandoned_;
  LostGpus lost_gpus_;
  NodeOutages outages_;
  EventOrder heard_;            ///< received from workers, not yet returned
  std::deque<TimedEvent> due_;  ///< to be returned next
  std::set<int> awaited_;       ///< ranks that are not ready for the cell
  bool winding_down_ = false;
  /// A gang's last message carries its last windows and its end: two events.
  std::optional<scheduler::AttemptEnded> pending_end_;
  WallInstant last_watch_{};
};

}  // namespace mimus::emulator
