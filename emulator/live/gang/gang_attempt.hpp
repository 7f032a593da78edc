// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "emulator/live/gang/attempt_ending.hpp"
#include "emulator/live/gang/attempt_gang.hpp"
#include "emulator/live/gang/handover.hpp"
#include "emulator/live/gang/step_commands.hpp"
#include "emulator/live/gang/step_timeline.hpp"
#include "emulator/live/lane/worker_context.hpp"
#include "emulator/training_progress.hpp"
#include "kernels/training_step.hpp"

namespace mimus::emulator {

/// This worker's replica of one attempt, from gang creation to the end of the attempt. The gang's
/// first rank (the lead) reports to rank 0; commands are agreed on at step boundaries.
class GangAttempt {
 public:
  GangAttempt(WorkerContext& context, Handover from);
  GangAttempt(const GangAttempt&) = delete;
  GangAttempt& operator=(const GangAttempt&) = delete;
  ~GangAttempt();

  /// Runs the attempt to its end. What it returns continues in the next one, also on this worker.
  /// Throws TimeoutError naming the stage if a peer does not come, and AbandonedError if rank 0
  /// reports that one has died, or another worker of the attempt's GPUs.
  [[nodiscard]] std::optional<Handover> run();

 private:
  [[nodiscard]] std::optional<Handover> run_to_its_end();
  [[nodiscard]] bool enter();
  [[nodiscard]] std::optional<AttemptEnding> come_together();
  [[nodiscard]] std::optional<AttemptEnding> take_memory();
  [[nodiscard]] std::optional<AttemptEnding> connect();
  void end_communication();
  [[nodiscard]] std::optional<AttemptEnding> start_up();
  [[nodiscard]] std::optional<AttemptEnding> share_state();
  [[nodiscard]] std::optional<AttemptEnding> take_state();
  void refuse_state();
  [[nodiscard]] std::optional<Handover> hand_over(StartMessage next);
  void give_state(const StartMessage& next);
  void call_joiners(const StartMessage& next, std::size_t staying) const;
  [[nodiscard]] AttemptEnding train();
  [[nodiscard]] AttemptEnding train_until_it_ends();
  [[nodiscard]] AttemptEnding gang_lost(const MemberWord& own);
  void leave(const AttemptEnding& ending);

  void set_batch(const scheduler::BatchPlan& batch);
  void set_reading();
  void set_training(bool training);
  [[nodiscard]] std::int64_t steps_left() const;
  [[nodiscard]] kernels::StepOutcome run_step(WallInstant begin, int stretch);
  [[nodiscard]] ExecutedStep execute(WallInstant begin);
  [[nodiscard]] WallInstant agreed_begin();
  [[nodiscard]] std::optional<AttemptEnding> ending_after_step() const;
  [[nodiscard]] AttemptEnding agreed_ending(const AttemptEnding& own);
  [[nodiscard]] bool stays_in(const StartMessage& next) const;
  [[nodiscard]] std::optional<AttemptEnding> apply_commands(std::int64_t agreed);
  [[nodiscard]] std::optional<AttemptEnding> take_batch(const scheduler::BatchPlan& batch);
  [[nodiscard]] std::optional<AttemptEnding> take_limits(const scheduler::DeviceLimits& limits);
  void save();
  [[nodiscard]] std::optional<AttemptEnding> suspend(scheduler::SuspendedMemory keeps,
                                                     std::int64_t agreed);
  void give_memory_back(scheduler::SuspendedMemory keeps);
  [[nodiscard]] std::optional<AttemptEnding> take_memory_back();
  void cross_host_link();
  void wait_for_command();
  void take_up_command();
  [[nodiscard]] std::optional<AttemptEnding> resume();
  void report();
  void tell_progress(std::vector<StepWindow> windows, bool is_report = false);
  void tell_last_steps();
  void wait_if_cut_off(Duration further = {});

  [[nodiscard]] std::int64_t agree_on_minimum(std::int64_t own);
  /// The attempt reaches `at`, where it waits for nothing.
  void go_to(WallInstant at);
  void wait_until(WallInstant until, Stage stage);
  [[nodiscard]] double total_batch() const;
  [[nodiscard]] Bytes state_bytes() const;
  [[nodiscard]] kernels::StepShape step_shape() const;
  [[nodiscard]] GpuId own_gpu() const {
    return message_.slots[static_cast<std::size_t>(gang_.rank())].gpu;
  }

  WorkerContext& context_;
  StartMessage message_;
  const workloads::Model& model_;
  bool leads_;  ///< this member speaks for the gang
  GangCommands commands_;
  StepCommands step_commands_;
  AttemptWatch watch_;
  AttemptGang gang_;
  /// Of the gang that this one continues as. They open before its own ones close, so that others
  /// take no end of their transfers for final in between.
  std::unique_ptr<kernels::LinkPacer> next_links_;
  std::unique_ptr<kernels::TrainingStep> step_;
  kernels::FootprintPlan plan_;
  double read_rate_ = std::numeric_limits<double>::infinity();  ///< of the gang [samples/s]
  Duration modelled_{};       ///< one solo optimiser step, emulated
  double utilisation_ = 0.0;  ///< share of it on the device
  Duration device_time_{};    ///< of one micro-batch
  bool training_ = false;     ///< co-tenants see it
  scheduler::SuspendedMemory keeps_ = scheduler::SuspendedMemory::all;  ///< at present
  scheduler::BatchPlan batch_;
  scheduler::DeviceLimits limits_;
  TrainingProgress progress_;
  StepTimeline timeline_;
  StepWindows windows_;
  WallInstant cut_;   ///< it runs no further: rank 0 ends it then
  WallInstant at_{};  ///< present instant, by its own schedule
  int executed_ = 0;  ///< steps of this attempt, stretched ones counted once
};

}  // namespace mimus::emulator
