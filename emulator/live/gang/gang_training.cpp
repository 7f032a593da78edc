// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "emulator/live/gang/gang_attempt.hpp"
#include "emulator/live/gang/replica_backends.hpp"
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

AttemptEnding GangAttempt::train() {
  AttemptEnding ending;
  const MemberWord own = word_after([&] { ending = train_until_it_ends(); });
  if (own.word < 0) return gang_lost(own);
  return ending;
}

/// If this member has said nothing yet in the step in which another was lost, it reports the loss
/// in the step's agreement. Otherwise the first one to notice the loss tells those that are a step
/// ahead. They find the word in the agreement of their current step.
AttemptEnding GangAttempt::gang_lost(const MemberWord& own) {
  end_communication();
  watch_.expect(context_.clock.now());
  std::int64_t agreed = 0;
  if (gang_.is_agreeing()) agreed = gang_.await(AttemptGang::Awaited::members, at_)[0];
  if (agreed >= 0) agreed = agree_on_minimum(own.word);
  return ending_after(std::min(own.word, agreed), own);
}

AttemptEnding GangAttempt::train_until_it_ends() {
  at_ = agreed_begin();
  context_.device->busy_from(at_);
  if (!training_) set_training(true);
  if (leads_) context_.tell(at_, StartedMessage{message_.attempt, context_.world_ns(at_)});
  windows_.expect_reports(at_);
  while (true) {
    ExecutedStep step = execute(at_);
    gang_.await(AttemptGang::Awaited::words, timeline_.scheduled_end());
    step.co_tenants = static_cast<int>(-gang_.minimum()[1]);
    timeline_.agree_on(gang_.minimum()[2], Duration{gang_.minimum()[3]});
    const std::int64_t agreed = gang_.minimum()[0];
    if (agreed < 0) return ending_after(agreed);
    at_ = timeline_.next_begin(step, context_.clock.waits());
    wait_if_cut_off();
    step.end = std::min(step.end, cut_);  // a late host may see it end after that
    step.begin = std::min(step.begin, step.end);
    windows_.add(step);
    if (auto ending = ending_after_step()) return agreed_ending(*ending);
    if (auto ending = apply_commands(agreed)) return *ending;
    report();
  }
}

/// A member that has finished its part of the last step must not leave before the others have. One
/// of them may be waiting for a lost member and reports this in the agreement that all others are
/// in.
AttemptEnding GangAttempt::agreed_ending(const AttemptEnding& own) {
  if (own.reason != EndReason::resized) {  // who stays goes on at once
    set_training(false);
    context_.device->idle_from(at_);
  }
  if (!own.next) gang_.quiet_until(WallInstant::max());
  if (own.next && stays_in(*own.next)) next_links_ = open_links_to_hand_over(context_, *own.next);
  watch_.expect(context_.clock.now());
  const std::int64_t agreed = agree_on_minimum(0);
  return agreed < 0 ? ending_after(agreed) : own;
}

/// All members begin at the same instant: the latest at which any of them can.
WallInstant GangAttempt::agreed_begin() {
  gang_.post({-context_.world_ns(context_.caught_up(at_))});
  gang_.await(AttemptGang::Awaited::words, at_);
  return context_.local(-gang_.minimum()[0]);
}

/// Makes `stretch` steps as one and says meanwhile which commands this member has.
kernels::StepOutcome GangAttempt::run_step(WallInstant begin, int stretch) {
  step_commands_.begin(executed_, begin, timeline_.shortest(stretch));
  bool is_said = false;
  const auto say_if_known = [&](WallInstant now) {
    if (is_said) return true;
    const auto known = step_commands_.known(now);
    if (!known) return false;
    gang_.post(
        {*known, -context_.device->co_tenants(), timeline_.wanted(), timeline_.own_step().count()});
    return is_said = true;
  };
  const auto outcome = step_->run(begin, [&](WallInstant now) {
    watch_.poll(now, stage_of(step_->stage()));
    say_if_known(now);
    return false;
  });
  ensure(outcome.has_value(), "a step ended without an outcome");
  step_commands_.end(outcome->end);
  gang_.await_own([&] { return say_if_known(context_.clock.now()); }, outcome->end);
  return *outcome;
}

ExecutedStep GangAttempt::execute(WallInstant begin) {
  const int stretch = timeline_.choose(steps_left());
  const double factor = stretch / context_.cell.engine.time_scale;
  context_.device->set_stretch({.steps = stretch, .wall_per_emulated = factor});
  gang_.set_wall_per_emulated(factor);
  const Duration busy_before = context_.device->busy();
  watch_.expect(begin + scale(timeline_.longest(stretch), 1.0 / limits_.cap));
  const kernels::StepOutcome outcome = run_step(begin, stretch);
  ExecutedStep step;
  step.steps = stretch;
  timeline_.executed(step, begin, outcome, context_.clock.now());
  step.batch = batch_;
  step.samples = stretch * total_batch();
  step.progress_samples = progress_.advance_all(stretch, total_batch());
  step.samples_done = progress_.samples_done();
  step.noise_scale = progress_.noise_scale();
  step.modelled = modelled_;
  step.exposed_communication = outcome.exposed_communication;
  step.device_busy = context_.device->busy() - busy_before;
  ++executed_;
  return step;
}

/// Never goes beyond the end of the job or its planned failure.
std::int64_t GangAttempt::steps_left() const {
  const std::int64_t left = progress_.all_steps_to(message_.work_samples, total_batch());
  if (message_.fail_at_samples < 0.0) return left;
  return std::min(left, progress_.all_steps_to(message_.fail_at_samples, total_batch()));
}

std::optional<AttemptEnding> GangAttempt::ending_after_step() const {
  if (message_.is_probe()) {
    return executed_ >= message_.probe_steps ? std::optional<AttemptEnding>(AttemptEnding{})
                                             : std::nullopt;
  }
  const bool failed = message_.fail_at_samples >= 0.0 &&
                      progress_.samples_done() >= message_.fail_at_samples - 1e-6;
  if (failed) return AttemptEnding{EndReason::failed, message_.fail_reason};
  if (progress_.finished()) return AttemptEnding{};
  if (progress_.diverged()) return AttemptEnding{EndReason::failed, kDiverged};
  return std::nullopt;
}

std::optional<AttemptEnding> GangAttempt::apply_commands(std::int64_t agreed) {
  using Kind = GangCommand::Kind;
  while (const auto command = commands_.next(agreed)) {
    switch (command->kind) {
      case Kind::stop:
        return agreed_ending(
            {EndReason::preempted, "", command->checkpoint && !message_.is_probe()});
      case Kind::resize:
        return agreed_ending(
            {.reason = command->resized->moves() ? EndReason::moved : EndReason::resized,
             .next = command->resized});
      case Kind::retune:
        if (auto ending = take_batch(command->batch)) return ending;
        break;
      case Kind::limit:
        if (auto ending = take_limits(command->limits)) return ending;
        break;
      case Kind::read:
        read_rate_ = command->read_rate;
        set_reading();
        break;
      case Kind::save:
        save();
        break;
      case Kind::suspend:
        if (auto ending = suspend(command->keeps, agreed)) return ending;
        agreed = std::max(agreed, gang_.minimum()[0]);
        break;
      case Kind::resume:
        if (auto ending = resume()) return ending;
        break;
    }
  }
  return std::nullopt;
}

std::optional<AttemptEnding> GangAttempt::take_batch(const scheduler::BatchPlan& batch) {
  set_batch(batch);
  if (auto ending = take_memory()) return ending;
  at_ = agreed_begin();
  return std::nullopt;
}

std::optional<AttemptEnding> GangAttempt::take_limits(const scheduler::DeviceLimits& limits) {
  const bool same_memory = limits.memory == limits_.memory;
  limits_ = limits;
  context_.device->set_cap(limits.cap, at_);
  if (!same_memory) {
    if (auto ending = take_batch(batch_)) return ending;
  } else if (training_) {
    set_training(true);
  }
  wait_if_cut_off();
  if (leads_) context_.tell(at_, LimitedMessage{message_.attempt, context_.world_ns(at_)});
  return std::nullopt;
}

void GangAttempt::set_batch(const scheduler::BatchPlan& batch) {
  const auto& cell = context_.cell;
  batch_ = batch;
  const kernels::StepShape shape = step_shape();
  const kernels::GpuSpec& gpu = cell.cluster.gpu_of(own_gpu());
  auto plans = kernels::make_gang_plans(model_, gpu, shape);
  const int on_fullest_node = most_on_a_node(cell.cluster.shape, message_.slots);
  const auto alone =
      slowest_step(cell.cluster, model_, shape, types_of(cell.cluster.shape, message_.slots),
                   gang_links(cell.cluster, message_.slots, model_.split), on_fullest_node)
          .time;
  const int stage = kernels::place_of(gang_.rank(), kernels::parallel_shape(model_, shape)).stage;
  plan_ = std::move(plans[static_cast<std::size_t>(stage)]);
  if (!cell.engine.shares_hosts()) kernels::fix_gpus_in_use(plan_, on_fullest_node);
  plan_.milli_cores = message_.host.part(gang_.rank(), gang_.size()).milli_cores;
  if (limits_.memory) kernels::spill_beyond(plan_, *limits_.memory, gpu.host_link);
  modelled_ = alone.total + batch.accumulation * plan_.spill_copy;
  set_reading();
  utilisation_ = to_seconds(alone.device) / to_seconds(modelled_);
  device_time_ = alone.device / batch.accumulation;
  if (training_) set_training(true);
  if (context_.device->runs_at_full_size()) {
    kernels::add_launches(plan_, model_, shape, stage, cell.engine.cuda.launches);
  }
  step_ = nullptr;
  if (gang_.can_step()) step_ = context_.device->make_step(gang_.collectives(), plan_);
}

/// What a step reads takes longer with a larger batch.
void GangAttempt::set_reading() {
  plan_.reading = from_seconds(total_batch() / read_rate_);
  timeline_.set_modelled(std::max(modelled_, plan_.reading));
}

/// Sets what co-tenants see of the attempt from its present instant on. Start-up and checkpoints do
/// not use the device.
void GangAttempt::set_training(bool training) {
  const bool changes = training || training_;
  training_ = training;
  if (context_.pace == nullptr || !changes) return;
  if (training_) {
    const std::string model = model_.base_name();
    GpuTenant tenant{.utilisation = std::min(utilisation_, limits_.cap),
                     .model = model,
                     .batch = batch_.per_gpu,
                     .device_time = device_time_};
    if (message_.stages.iteration > 0.0) tenant.stages = message_.stages;
    context_.pace->enter(tenant, at_);
  } else {
    context_.pace->leave(at_);
  }
}

void GangAttempt::report() {
  if (!leads_ || !windows_.due(at_)) return;
  const bool is_report = windows_.is_expected(at_);
  tell_progress(windows_.take(at_, false), is_report);
}

void GangAttempt::tell_progress(std::vector<StepWindow> windows, bool is_report) {
  context_.tell(at_, ProgressMessage{.attempt = message_.attempt,
                                     .at_ns = context_.world_ns(at_),
                                     .windows = std::move(windows),
                                     .samples_done = progress_.samples_done(),
                                     .is_report = is_report});
}

}  // namespace mimus::emulator
