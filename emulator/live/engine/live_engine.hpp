// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "emulator/engine.hpp"
#include "emulator/live/engine/live_state.hpp"
#include "emulator/live/engine/planned_strikes.hpp"
#include "emulator/live/engine/worker_reports.hpp"
#include "emulator/live/engine/worker_watch.hpp"

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
  [[nodiscard]] const WorkerDevices& devices() const { return state_.devices; }
  /// GPUs of the cell whose workers have died, also in earlier cells.
  [[nodiscard]] const std::set<GpuId>& lost_gpus() const { return state_.lost_gpus.all(); }
  /// Emulated time begins, on every rank; nothing is started before. Setting up workers can take
  /// seconds, which jobs would otherwise spend waiting for them.
  void begin_clock();
  /// Wall time since then, and how much of it the clock was held for workers that were behind.
  [[nodiscard]] Duration wall_since_begin() const { return state_.clock.wall_since_begin(); }
  [[nodiscard]] Duration clock_held() const { return state_.clock.held(); }
  [[nodiscard]] Instant now() const override { return state_.clock.now(); }
  void start(const Attempt& attempt) override;
  void stop(AttemptId attempt) override;
  void retune(AttemptId attempt, const scheduler::BatchPlan& batch) override;
  void resize(AttemptId from, const Attempt& to) override;
  /// Throws UsageError if devices are not emulated and paced.
  void limit(AttemptId attempt, const scheduler::DeviceLimits& limits) override;
  void read(AttemptId attempt, double samples_per_second) override;
  void save(AttemptId attempt) override;
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
  [[nodiscard]] std::int64_t decided_ns() const;
  [[nodiscard]] std::int64_t wake(AttemptId attempt);
  void await_workers();
  void await_more(WallInstant asked, std::string_view stage, const std::string& detail,
                  Backoff& backoff);
  void take_early(const Envelope& envelope);
  [[noreturn]] void nothing_left_to_happen() const;

  LiveState state_;
  WorkerWatch watch_;
  WorkerReports reports_;
  PlannedStrikes strikes_;
};

}  // namespace mimus::emulator
