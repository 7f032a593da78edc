// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "emulator/live/gang/gang_channels.hpp"
#include "emulator/live/gang/gang_communicator.hpp"
#include "emulator/live/gang/handover.hpp"
#include "emulator/live/gang/step_windows.hpp"
#include "emulator/live/lane/worker_context.hpp"
#include "emulator/training_progress.hpp"
#include "kernels/training_step.hpp"

namespace mimus::emulator {

/// This worker's replica of one attempt, from gang creation to the end of the attempt. The gang's
/// first rank (the lead) reports to rank 0; commands are agreed on at step boundaries.
class GangAttempt {
 public:
  /// `before`: what is left of the attempt from which this one goes on, on a member that stays.
  GangAttempt(WorkerContext& context, StartMessage message,
              std::unique_ptr<kernels::Collective> before = nullptr);
  GangAttempt(const GangAttempt&) = delete;
  GangAttempt& operator=(const GangAttempt&) = delete;
  ~GangAttempt();

  /// Runs the attempt to its end; what it returns goes on in the next one, on this worker too.
  /// TimeoutError naming the stage when a peer does not come; AbandonedError when rank 0 says that
  /// one has died, or another worker of the attempt's GPUs.
  [[nodiscard]] std::optional<Handover> run();

 private:
  struct Command {
    bool stop = false;
    bool checkpoint = false;
    scheduler::BatchPlan batch{};
    std::optional<StartMessage> resized{};
  };
  struct Ending {
    scheduler::EndReason reason = scheduler::EndReason::finished;
    std::string detail;
    bool checkpoint = false;
    std::optional<StartMessage> next{};  ///< of a resized gang
  };

  // What a member says in place of a command's number; of several, the least counts.
  static constexpr std::int64_t kGangLost = -1;  ///< it has lost another one
  static constexpr std::int64_t kGangOutOfMemory = -2;
  [[nodiscard]] static scheduler::EndReason reason_of(std::int64_t word);
  [[nodiscard]] static const char* text_of(std::int64_t word);  ///< for other members

  [[nodiscard]] bool enter();
  void meet();
  [[nodiscard]] std::optional<Ending> take_memory();
  [[nodiscard]] std::optional<Ending> connect();
  void end_communication();
  [[nodiscard]] std::optional<Ending> start_up();
  [[nodiscard]] std::optional<Ending> share_state();
  [[nodiscard]] std::optional<Handover> hand_over(StartMessage next);
  [[nodiscard]] Ending train();
  [[nodiscard]] Ending train_until_it_ends();
  [[nodiscard]] Ending gang_lost(std::int64_t word, const std::string& what);
  void leave(const Ending& ending);

  void set_batch(const scheduler::BatchPlan& batch);
  void set_training(bool training);
  [[nodiscard]] int choose_stretch() const;
  [[nodiscard]] int wanted_stretch() const;
  [[nodiscard]] Duration longest_step(int stretch) const;
  [[nodiscard]] ExecutedStep execute(WallInstant begin);
  [[nodiscard]] WallInstant next_begin(ExecutedStep& step);
  [[nodiscard]] WallInstant agreed_begin();
  [[nodiscard]] std::optional<Ending> ending_after_step() const;
  [[nodiscard]] Ending agreed_ending(const Ending& own);
  [[nodiscard]] std::optional<Ending> apply_commands(std::int64_t agreed);
  void report(WallInstant now);

  [[nodiscard]] std::int64_t agree_on_minimum(std::int64_t own);
  enum class Awaited {
    words,    ///< of members that have got here: the clock waits for them
    members,  ///< which may be behind: the clock goes on
  };
  void await_agreement(Awaited awaited);
  void wait_until(WallInstant until, Stage stage);
  [[nodiscard]] std::string clock_text() const;
  void poll(WallInstant now, Stage stage);
  void take_message(const Envelope& envelope);
  [[nodiscard]] bool take_command(const Envelope& envelope);
  [[nodiscard]] bool is_lead() const {
    const auto& slots = message_.slots;
    return slots.size() == 1 || context_.world.rank() == rank_of(slots.front().lane);
  }
  [[nodiscard]] double total_batch() const;
  [[nodiscard]] Bytes state_bytes() const;
  [[nodiscard]] kernels::StepShape step_shape() const;

  WorkerContext& context_;
  StartMessage message_;
  const workloads::Model& model_;
  std::unique_ptr<GangCommunicator> gang_;
  std::unique_ptr<GangAgreement> agreement_;
  std::unique_ptr<kernels::Collective> before_;  ///< of the gang that this one was
  std::unique_ptr<GangChannels> channels_;
  std::unique_ptr<kernels::TrainingStep> step_;
  kernels::FootprintPlan plan_;
  Duration modelled_{};       ///< one solo optimiser step, emulated
  double utilisation_ = 0.0;  ///< share of it on the device
  bool training_ = false;     ///< co-tenants see it
  scheduler::BatchPlan batch_;
  TrainingProgress progress_;
  StepWindows windows_;
  std::map<std::int64_t, Command> commands_;
  std::int32_t meetings_ = 0;  ///< so far
  std::int64_t last_command_ = 0;
  std::int64_t applied_command_ = 0;
  WallInstant at_{};          ///< where the attempt is, by its own schedule
  WallInstant stage_due_{};   ///< when the stage would end if nothing went wrong, as far as known
  WallInstant last_alive_{};  ///< when rank 0 was last told that the gang is waited for
  WallInstant last_poll_{};   ///< wall time
  WallInstant polled_at_{};   ///< the same on the clock of the pace
  WallInstant in_time_{};     ///< wall time at which the stage was last seen not to be overdue
  int executed_ = 0;          ///< steps of this attempt, stretched ones counted once
  int agreed_stretch_ = 1;    ///< devices that are not paced: most steps to execute as one
  Duration step_wall_{};      ///< the same: of the last step
  WallInstant scheduled_end_{};   ///< of the last step
  WallInstant measured_until_{};  ///< real end of the last step
  bool left_ = false;
};

}  // namespace mimus::emulator
