// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/virtual_engine.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "emulator/no_event_left.hpp"
#include "emulator/transition_costs.hpp"

namespace mimus::emulator {

VirtualEngine::VirtualEngine(const ClusterConfig& cluster, const EngineConfig& engine,
                             const StepTimeModel& steps, const InterferenceModel& interference,
                             Settings settings)
    : cluster_(cluster),
      costs_(engine.costs),
      steps_(steps),
      spills_(cluster.gpu.host_link),
      settings_(settings),
      contention_(cluster, steps, interference),
      memory_(cluster.shape),
      outages_(cluster, settings.seed) {}

double VirtualEngine::samples_done(AttemptId attempt) const {
  const VirtualAttempt& running = attempts_.at(attempt);
  if (running.phase == Phase::stepping) return running.training->samples_done_at(now_);
  return running.training ? running.training->samples_done() : running.attempt.samples_done;
}

void VirtualEngine::schedule(Slot slot, Instant at, Kind kind) {
  heap_.set(slot, {at, kind, attempts_[slot].attempt.id.value()});
}

void VirtualEngine::schedule_stretch(Slot slot) {
  const VirtualTraining& training = *attempts_[slot].training;
  schedule(slot, training.stretch_end(), training.ends_attempt() ? kEnd : kProgress);
}

/// It takes effect in the present stretch or, while a checkpoint is written, in the next one.
void VirtualEngine::command_given(Slot slot) {
  if (attempts_[slot].phase == Phase::stepping) schedule_stretch(slot);
}

void VirtualEngine::start(const Attempt& attempt) {
  const Slot slot = attempts_.place(attempt, Phase::starting);
  failing_.add(attempt);
  memory_.take(attempt);
  if (memory_.overfull(attempt)) return schedule(slot, now_, kEnd);
  schedule(slot, now_ + start_cost(attempt, cluster_, costs_), kStart);
}

void VirtualEngine::stop(AttemptId attempt) {
  VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || running->is_leaving()) return;
  const bool is_between = running->phase == Phase::starting || running->phase == Phase::emptying ||
                          running->phase == Phase::resuming;
  if (is_between) {
    running->stop_asked = true;
    return;
  }
  if (running->phase == Phase::suspended) return stop_suspended(attempts_.slot_of(attempt));
  running->training->ask_stop(now_);
  command_given(attempts_.slot_of(attempt));
}

Instant VirtualEngine::next(Instant deadline, std::vector<TimedEvent>& happened) {
  const Instant first = std::min(heap_.empty() ? kNever : heap_.first().at, next_strike(deadline));
  if (first > deadline) {
    now_ = deadline;
    return now_;
  }
  if (first == kNever) throw_no_event_left();
  now_ = first;
  const auto due = [&](std::int64_t last_kind) {
    return !heap_.empty() && heap_.first().at == now_ && heap_.first().kind <= last_kind;
  };
  while (due(kEnd)) happen(heap_.first_slot(), happened);
  strike(happened);
  while (due(kProgress)) happen(heap_.first_slot(), happened);
  return now_;
}

void VirtualEngine::happen(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  switch (running.phase) {
    case Phase::joining:
      return joined(slot);
    case Phase::starting:
      return first_step(slot, happened);
    case Phase::stepping:
      return stretch_ended(slot, happened);
    case Phase::saving:
      return saved(slot, happened);
    case Phase::emptying:
      return suspended(slot, happened);
    case Phase::suspended:
      break;
    case Phase::resuming:
      return go_on(slot, happened);
    case Phase::checkpointing:
      return end(slot, EndReason::preempted, "", running.training->samples_done(), happened);
    case Phase::moving:
      return go_on_as_next(slot, happened);
  }
  ensure(false, "something happens to a suspended attempt");
}

/// Tenants slow neither each other's copies of spilled memory nor their transfers.
StepCost VirtualEngine::cost_of(const VirtualAttempt& running) const {
  const Attempt& attempt = running.attempt;
  const double cap = attempt.limits.cap;
  const Duration spill = spills_.of(attempt);
  Surroundings around = contention_.of(attempt.id);
  if (cap < 1.0) {
    const double by_tenants = std::exchange(around.interference, 1.0);
    const StepCost uncapped = steps_.step(attempt, around);
    const Duration with_cap = scale(uncapped.device_busy, 1.0 / cap) - spill;
    around.interference =
        by_tenants * std::max(1.0, to_seconds(with_cap) / to_seconds(uncapped.step));
  }
  StepCost cost = steps_.step(attempt, around);
  cost.step += spill;
  const auto samples = static_cast<double>(attempt.batch.total(attempt.allocation.slots.size()));
  cost.step = std::max(cost.step, from_seconds(samples / running.read_rate));
  return cost;
}

Duration VirtualEngine::solo_step(const Attempt& attempt) const {
  return steps_.step(attempt, {}).step + spills_.of(attempt);
}

void VirtualEngine::first_step(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  const Attempt& attempt = running.attempt;
  if (const auto gpu = memory_.overfull(attempt)) return out_of_memory(slot, *gpu, happened);
  running.training.emplace(attempt, steps_, settings_.report_every);
  train(slot, happened);
  happened.push_back({now_, scheduler::AttemptStarted{attempt.id}});
}

void VirtualEngine::out_of_memory(Slot slot, GpuId gpu, Happened& happened) {
  const Attempt& attempt = attempts_[slot].attempt;
  const std::string detail =
      fmt::format("out of memory on GPU {}: a replica of {} with batch {} needs {}", gpu.value(),
                  attempt.model->name, attempt.batch.per_gpu, format_bytes(memory_.need(attempt)));
  end(slot, EndReason::out_of_memory, detail, attempt.samples_kept, happened);
}

/// Makes steps from now on, the first ones or after a suspension.
void VirtualEngine::train(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  const Attempt& attempt = running.attempt;
  running.phase = Phase::stepping;
  contention_.enter(attempt, changed_);
  running.training->set_solo_step(solo_step(attempt));
  running.training->begin(now_, cost_of(running), contention_.co_tenants(attempt.id));
  if (running.stop_asked) running.training->ask_stop(now_);
  schedule_stretch(slot);
  update_changed(happened);
}

/// Updates the step times of the attempts whose surroundings have changed.
void VirtualEngine::update_changed(Happened& happened) {
  for (const AttemptId id : changed_) {
    const Slot slot = attempts_.slot_of(id);
    VirtualAttempt& running = attempts_[slot];
    running.training->change(now_, cost_of(running), contention_.co_tenants(id));
    tell(running.training->report_closed(), happened);
    schedule_stretch(slot);
  }
  changed_.clear();
}

void VirtualEngine::stretch_ended(Slot slot, Happened& happened) {
  using Outcome = VirtualTraining::Outcome;
  VirtualAttempt& running = attempts_[slot];
  VirtualTraining& training = *running.training;
  const bool record = training.record_due();
  switch (training.advance()) {
    case Outcome::finished:
      return end(slot, EndReason::finished, "", training.samples_done(), happened);
    case Outcome::failed:
      return end(slot, EndReason::failed, running.attempt.fail_reason, running.attempt.samples_kept,
                 happened);
    case Outcome::diverged:
      return end(slot, EndReason::failed, kDiverged, running.attempt.samples_kept, happened);
    case Outcome::stopped:
      if (running.next) return hand_over(slot, happened);
      return begin_checkpoint(slot, happened);
    case Outcome::saves:
      return begin_saving(slot, happened);
    case Outcome::suspended:
      return begin_suspension(slot, happened);
    case Outcome::retuned:
      if (record) tell(training.report(now_), happened);
      return retuned(slot, happened);
    case Outcome::goes_on:
      if (record) tell(training.report(now_), happened);
      return schedule_stretch(slot);
  }
}

void VirtualEngine::begin_checkpoint(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  const Duration cost = checkpoint_cost(running.attempt, cluster_, costs_);
  if (cost == Duration::zero()) {
    return end(slot, EndReason::preempted, "", running.training->samples_done(), happened);
  }
  leave_contention(running, happened);
  tell(running.training->report(now_), happened);
  running.phase = Phase::checkpointing;
  schedule(slot, now_ + cost, kEnd);
}

void VirtualEngine::leave_contention(VirtualAttempt& running, Happened& happened) {
  if (running.phase != Phase::stepping) return;
  contention_.leave(running.attempt.id, changed_);
  update_changed(happened);
}

/// It has slowed no other attempt since its checkpoint began, but counts as a co-tenant in the
/// record until now.
void VirtualEngine::tell_neighbours(const VirtualAttempt& running, Happened& happened) {
  contention_.neighbours(running.attempt, changed_);
  update_changed(happened);
}

void VirtualEngine::report_last_steps(Happened& happened) {
  const auto make_steps = [](const VirtualAttempt& one) { return one.phase == Phase::stepping; };
  for (const AttemptId id : attempts_.all_that(make_steps)) {
    VirtualTraining& training = *attempts_.find(id)->training;
    training.cut_off(now_);
    tell(training.report(now_), happened);
  }
}

void VirtualEngine::tell(AttemptProgress progress, Happened& happened) const {
  if (progress.is_report || !progress.windows.empty()) {
    happened.push_back({now_, std::move(progress)});
  }
}

void VirtualEngine::end(Slot slot, EndReason reason, std::string detail, double kept,
                        Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  leave_contention(running, happened);
  if (running.is_leaving()) tell_neighbours(running, happened);
  if (running.training) tell(running.training->report(now_), happened);
  forget(running.next);
  memory_.give_back(running.attempt, running.keeps);
  heap_.remove(slot);
  failing_.remove(running.attempt);
  attempts_.erase(slot);
  happened.push_back(
      {now_, scheduler::AttemptEnded{running.attempt.id, reason, std::move(detail), kept}});
  running.training.reset();
}

}  // namespace mimus::emulator
