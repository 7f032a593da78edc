// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "emulator/live/gang/gang_attempt.hpp"
#include "emulator/modelled_throughput.hpp"
#include "kernels/parallel/rank_groups.hpp"
#include "kernels/parallel/split_plan.hpp"

namespace mimus::emulator {
namespace {

using scheduler::EndReason;

Stage stage_of(kernels::StepStage stage) {
  switch (stage) {
    case kernels::StepStage::broadcast:
      return Stage::broadcast;
    case kernels::StepStage::all_reduce:
      return Stage::all_reduce;
    case kernels::StepStage::optimiser:
      return Stage::optimiser;
    case kernels::StepStage::input_copy:
      return Stage::input_copy;
    case kernels::StepStage::tensor_exchange:
      return Stage::tensor_exchange;
    case kernels::StepStage::pipeline_transfer:
      return Stage::pipeline_transfer;
    case kernels::StepStage::idle:
    case kernels::StepStage::compute:
      return Stage::compute;
  }
  return Stage::compute;
}

}  // namespace

GangAttempt::Ending GangAttempt::train() {
  try {
    return train_until_it_ends();
  } catch (const kernels::PeerLostError& lost) {
    return gang_lost(kGangLost, lost.what());
  } catch (const OutOfMemoryError& full) {  // of libraries, at their first use
    return gang_lost(kGangOutOfMemory, full.what());
  }
}

/// The step in which a member was lost has an agreement under way. The first to notice then tells
/// those who are a step ahead: they find the word in the agreement of the step they hang in.
GangAttempt::Ending GangAttempt::gang_lost(std::int64_t word, const std::string& what) {
  end_communication();
  stage_due_ = context_.clock.now();
  await_agreement(Awaited::members);
  if (agreement_->minimum()[0] >= 0) {
    agreement_->post({word});
    await_agreement(Awaited::members);
  }
  const std::int64_t agreed = std::min(word, agreement_->minimum()[0]);
  return Ending{reason_of(agreed), agreed == word ? what : text_of(agreed), false};
}

GangAttempt::Ending GangAttempt::train_until_it_ends() {
  at_ = agreed_begin();
  context_.device->busy_from(at_);
  if (!training_) set_training(true);
  bool first = true;
  while (true) {
    agreement_->post({last_command_, -context_.device->co_tenants(), wanted_stretch()});
    ExecutedStep step = execute(at_);
    await_agreement(Awaited::words);
    step.co_tenants = static_cast<int>(-agreement_->minimum()[1]);
    agreed_stretch_ = static_cast<int>(std::max<std::int64_t>(1, agreement_->minimum()[2]));
    const std::int64_t agreed = agreement_->minimum()[0];
    if (agreed < 0) return Ending{reason_of(agreed), text_of(agreed), false};
    at_ = next_begin(step);
    windows_.add(step);
    if (first && is_lead()) {
      context_.tell(at_, StartedMessage{message_.attempt, context_.world_ns(at_)});
    }
    first = false;
    if (auto ending = ending_after_step()) return agreed_ending(*ending);
    if (auto ending = apply_commands(agreed)) return *ending;
    report(step.end);
  }
}

/// Whose part of the last step is done may not leave before the others' is: one of them may be
/// waiting for a member that was lost, and says so where it finds everybody else.
GangAttempt::Ending GangAttempt::agreed_ending(const Ending& own) {
  if (own.reason != EndReason::resized) {
    set_training(false);
    context_.device->idle_from(at_);
  }
  if (channels_) channels_->quiet_until(WallInstant::max());
  stage_due_ = context_.clock.now();
  const std::int64_t agreed = agree_on_minimum(0);
  return agreed < 0 ? Ending{reason_of(agreed), text_of(agreed), false} : own;
}

/// All members begin at the same moment: the latest that any of them can.
WallInstant GangAttempt::agreed_begin() {
  agreement_->post({-context_.world_ns(context_.caught_up(at_))});
  await_agreement(Awaited::words);
  return context_.local(-agreement_->minimum()[0]);
}

ExecutedStep GangAttempt::execute(WallInstant begin) {
  const int stretch = choose_stretch();
  const double factor = stretch / context_.cell.engine.time_scale;
  context_.device->set_stretch({.steps = stretch, .wall_per_emulated = factor});
  if (channels_) channels_->set_wall_per_emulated(factor);
  const Duration busy_before = context_.device->busy();
  stage_due_ = begin + longest_step(stretch);
  const auto outcome = step_->run(begin, [this](WallInstant now) {
    poll(now, stage_of(step_->stage()));
    return false;
  });
  ensure(outcome.has_value(), "a step ended without an outcome");
  // Measured from one step's real end to the next one's, so that a window's mean is wall time.
  ExecutedStep step;
  step.begin = measured_until_ == WallInstant{} ? begin : measured_until_;
  step.end = measured_until_ = context_.clock.now();
  step.steps = stretch;
  step.batch = batch_;
  step_wall_ = (outcome->end - outcome->begin) / stretch;
  step.samples = stretch * total_batch();
  step.progress_samples = progress_.advance(stretch, total_batch());
  step.noise_scale = progress_.noise_scale();
  step.modelled = modelled_;
  step.exposed_communication = outcome->exposed_communication;
  step.device_busy = context_.device->busy() - busy_before;
  scheduled_end_ = outcome->end;
  ++executed_;
  return step;
}

/// What a step that gets on takes at most: tenants of all lanes take turns on the device, and the
/// last step shows what else there is.
Duration GangAttempt::longest_step(int stretch) const {
  const Duration paced = context_.cell.cluster.shape.lanes_per_gpu * context_.cell.wall(modelled_);
  return stretch * std::max(paced, step_wall_);
}

/// Steps that together last as long as the host's timers need. How long a paced step lasts is
/// known; a device that is not paced has shown it in the step before.
int GangAttempt::wanted_stretch() const {
  constexpr double kMost = 256;  // commands wait for the end of a stretched step
  const bool paced = !context_.device->runs_at_full_size();
  if (!paced && step_wall_ == Duration{}) return 1;
  const double wall = to_seconds(paced ? context_.cell.wall(modelled_) : step_wall_);
  const double least = to_seconds(context_.cell.engine.min_step_wall);
  const double wanted = std::ceil(least / std::max(wall, 1e-9));
  return static_cast<int>(paced ? std::min(wanted, 1e9) : std::min(wanted, kMost));
}

/// Short steps are run several at a time, so that each executed one is long enough for the host's
/// timers; never beyond the end of the job or its planned failure.
int GangAttempt::choose_stretch() const {
  const std::int64_t wanted =
      context_.device->runs_at_full_size() ? agreed_stretch_ : wanted_stretch();
  std::int64_t left = progress_.steps_to(message_.work_samples, total_batch());
  if (message_.fail_at_samples >= 0.0) {
    left = std::min(left, progress_.steps_to(message_.fail_at_samples, total_batch()));
  }
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(left, 1)));
}

/// The next step begins where this one was scheduled to end, so that wake-up delays are made good.
/// Where the clock does not wait, a host that is behind by more than a few milliseconds and half a
/// step cannot keep up. What cannot be made good is kept in the timeline and recorded.
WallInstant GangAttempt::next_begin(ExecutedStep& step) {
  const Duration slack =
      context_.clock.waits() ? WorkerContext::kMadeGood : std::chrono::milliseconds{5};
  const Duration behind = std::max(Duration{}, step.end - scheduled_end_);
  const bool keeps_up = behind <= slack + (scheduled_end_ - step.begin) / 2;
  const Duration kept = keeps_up ? Duration{} : behind;
  step.late += kept;
  // When the host looked is of no matter where it is made good.
  if (context_.clock.waits()) step.end = measured_until_ = scheduled_end_ + kept;
  return scheduled_end_ + kept;
}

std::optional<GangAttempt::Ending> GangAttempt::ending_after_step() const {
  if (message_.is_probe()) {
    return executed_ >= message_.probe_steps ? std::optional<Ending>(Ending{}) : std::nullopt;
  }
  const bool failed = message_.fail_at_samples >= 0.0 &&
                      progress_.samples_done() >= message_.fail_at_samples - 1e-6;
  if (failed) return Ending{EndReason::failed, message_.fail_reason, false};
  if (progress_.finished()) return Ending{};
  return std::nullopt;
}

std::optional<GangAttempt::Ending> GangAttempt::apply_commands(std::int64_t agreed) {
  while (applied_command_ < agreed) {
    const Command command = commands_.at(++applied_command_);
    commands_.erase(applied_command_);
    if (command.stop) {
      return agreed_ending({EndReason::preempted, "", command.checkpoint && !message_.is_probe()});
    }
    if (command.resized) {
      return agreed_ending({EndReason::resized, "", false, command.resized});
    }
    set_batch(command.batch);
    if (auto ending = take_memory()) return ending;
    at_ = agreed_begin();
  }
  return std::nullopt;
}

void GangAttempt::set_batch(const scheduler::BatchPlan& batch) {
  const auto& cell = context_.cell;
  batch_ = batch;
  const kernels::StepShape shape = step_shape();
  auto plans = kernels::make_gang_plans(model_, cell.cluster.gpu, shape);
  const auto alone =
      kernels::gang_step_time(plans, gang_links(cell.cluster, message_.slots, model_.split),
                              most_on_a_node(cell.cluster.shape, message_.slots));
  modelled_ = alone.total;
  utilisation_ = to_seconds(alone.device) / to_seconds(alone.total);
  if (training_) set_training(true);
  const int stage = kernels::place_of(gang_->rank(), kernels::parallel_shape(model_, shape)).stage;
  plan_ = std::move(plans[static_cast<std::size_t>(stage)]);
  if (context_.device->runs_at_full_size()) {
    kernels::add_launches(plan_, model_, shape, stage, cell.engine.cuda.launches);
  }
  step_ = nullptr;
  if (channels_ || gang_->size() == 1) {
    step_ = context_.device->make_step(channels_ ? channels_->get() : kernels::GangCollectives{},
                                       plan_);
  }
}

/// What co-tenants see of it from where the attempt is on. Starting up and checkpoints do not use
/// the device.
void GangAttempt::set_training(bool training) {
  const bool changes = training || training_;
  training_ = training;
  if (context_.pace == nullptr || !changes) return;
  if (training_) {
    context_.pace->enter(model_.base_name(), utilisation_, batch_.per_gpu, at_);
  } else {
    context_.pace->leave(at_);
  }
}

void GangAttempt::report(WallInstant now) {
  if (!is_lead() || !windows_.due(now)) return;
  context_.tell(at_, ProgressMessage{.attempt = message_.attempt,
                                     .at_ns = context_.world_ns(at_),
                                     .windows = windows_.take(now, false),
                                     .samples_done = progress_.samples_done()});
}

}  // namespace mimus::emulator
