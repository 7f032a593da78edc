// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "emulator/engine.hpp"
#include "emulator/training_progress.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator {

/// The steps of one attempt in virtual time, in stretches over which nothing changes.
///
/// Work is counted in units: optimiser steps, or nanoseconds of recorded run time for a job without
/// a model. Units are whole numbers, so that a run-time job that nothing slows ends at the exact
/// nanosecond. A stretch ends where the attempt finishes or diverges, where its failure strikes,
/// where a report is due, where another measured noise scale begins to hold or a hundredth of the
/// work has passed on the model's curve, with the step in which a stop or another batch was asked
/// for, or at the next step boundary when its neighbours have changed.
///
/// A window holds steps beside the same neighbours: it ends at the last step boundary before they
/// change, and the step that saw the change is a window of its own.
class VirtualTraining {
 public:
  enum class Outcome { goes_on, finished, failed, diverged, stopped, saves, suspended, retuned };

  /// The job reports at the last step boundary before each multiple of `report_every` from its
  /// first step on; zero for one report at the end. `attempt` and `steps`, which may know the noise
  /// scale, must outlive this object.
  VirtualTraining(const Attempt& attempt, const StepTimeModel& steps, Duration report_every);

  /// First step, also after a suspension or a checkpoint, or steps that cost something else from
  /// now on, beside others or as many others.
  void begin(Instant now, const StepCost& cost, int co_tenants);
  void change(Instant now, const StepCost& cost, int co_tenants);
  /// What a step of the present batch takes alone; only reported.
  void set_solo_step(Duration step) { solo_step_ = step; }
  /// The present stretch now ends with the step under way. At a boundary that is the step that
  /// begins there, because a gang does not wait for commands.
  void ask_stop(Instant now) {
    asked_stop_ = true;
    end_with_step(now);
  }
  void ask_suspension(Instant now);
  void ask_checkpoint(Instant now);
  void ask_batch(Instant now, const scheduler::BatchPlan& batch);
  /// The steps cost something else after that, where the outcome is `retuned`.
  void ask_other_cost(Instant now) { ask_batch(now, asked_batch_.value_or(batch_)); }
  /// The same from the next boundary on, be it now: reading is not commanded, but becomes slower.
  void ask_other_rate(Instant now);

  [[nodiscard]] Instant stretch_end() const;
  /// True when nothing follows the present stretch.
  [[nodiscard]] bool ends_attempt() const;
  /// The present stretch has ended; begins the next one where the attempt goes on. After `retuned`
  /// the caller sets the new costs with change() and then calls replan().
  [[nodiscard]] Outcome advance();
  void replan(Instant now) { plan_stretch(now); }
  /// Stops counting in the middle of a step, as a node that goes down does.
  void cut_off(Instant now);

  /// Whether the end of the present stretch is recorded.
  [[nodiscard]] bool record_due() const;
  /// What has happened since the last time; no window when no step has ended since. At a step
  /// boundary, or at the end of the attempt.
  [[nodiscard]] AttemptProgress report(Instant now);
  /// The same up to the last change of neighbours, at any time.
  [[nodiscard]] AttemptProgress report_closed();
  [[nodiscard]] double samples_done() const;
  /// The same with the whole units of the present stretch up to `now`.
  [[nodiscard]] double samples_done_at(Instant now) const;
  [[nodiscard]] const scheduler::BatchPlan& batch() const { return batch_; }

 private:
  [[nodiscard]] bool counts_run_time() const { return !progress_.has_value(); }
  [[nodiscard]] double total_batch() const;
  [[nodiscard]] double target() const;
  [[nodiscard]] std::int64_t units_to_target() const;
  [[nodiscard]] std::int64_t units_until_report() const;
  void note_report(Instant now);
  void take_noise_scale();
  /// `done`: of its units.
  void plan_stretch(Instant now, double done = 0.0);
  [[nodiscard]] bool is_commanded() const;
  [[nodiscard]] double whole_units_at(Instant now) const;
  void settle(Instant now);
  void take_units(std::int64_t units);
  void end_at_boundary(Instant now);
  void end_with_step(Instant now);
  void set_cost(const StepCost& cost);
  void end_window_before(Instant now);
  void close_window(Instant end);

  const Attempt& attempt_;
  const StepTimeModel& steps_;
  std::size_t replicas_;
  double work_;
  double fail_at_;
  Duration report_every_;
  Instant next_report_ = kNever;
  bool reports_ = false;  ///< at the end of the last stretch
  scheduler::BatchPlan batch_;
  std::optional<scheduler::BatchPlan> asked_batch_;
  bool asked_stop_ = false;
  bool asked_suspension_ = false;
  bool asked_checkpoint_ = false;
  bool pauses_ = false;                       ///< suspended, or while a checkpoint is written
  std::optional<TrainingProgress> progress_;  ///< none for a run-time job
  double noise_until_ = 0.0;  ///< where the noise scale ends that steps gain by [samples at M0]
  double reference_batch_ = 1.0;
  Duration run_time_{};  ///< done in this attempt, of a run-time job

  StepCost cost_;
  Duration solo_step_{};
  double unit_ns_ = 1.0;        ///< time of one unit [ns]
  std::int64_t units_ = 0;      ///< in the present stretch
  double units_done_ = 0.0;     ///< of them, at `since_`
  double units_at_cost_ = 0.0;  ///< of them, when the present cost began to hold
  Instant since_{};
  int co_tenants_ = 0;               ///< at present
  bool between_neighbours_ = false;  ///< in the step that saw them change
  StepWindow window_;                ///< the open one
  struct Spent {
    Duration stepping{};
    Duration solo{};
    Duration exposed{};
    Duration busy{};
  };
  Spent spent_;                     ///< on the steps of the open window
  std::vector<StepWindow> closed_;  ///< since the last report
};

}  // namespace mimus::emulator
