// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/virtual_engine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "emulator/transition_costs.hpp"

namespace mimus::emulator {

using scheduler::EndReason;

VirtualEngine::VirtualEngine(const ClusterConfig& cluster, const EngineConfig& engine,
                             const StepTimeModel& steps, const InterferenceModel& interference,
                             Settings settings)
    : cluster_(cluster),
      costs_(engine.costs),
      steps_(steps),
      settings_(settings),
      contention_(cluster, steps, interference),
      memory_(cluster.shape) {
  for (const Outage& outage : cluster.outages) {
    node_changes_.push_back({outage.down, kNodeDown, outage.node.value()});
    node_changes_.push_back({outage.up, kNodeUp, outage.node.value()});
  }
  std::sort(node_changes_.begin(), node_changes_.end());
}

VirtualEngine::Running* VirtualEngine::find(AttemptId attempt) {
  const Slot* found = slot_of_.find(attempt);
  return found == nullptr ? nullptr : &slots_[*found];
}

double VirtualEngine::samples_done(AttemptId attempt) const {
  const Running& running = slots_[slot_of_.at(attempt)];
  if (running.phase == Phase::stepping) return running.training->samples_done_at(now_);
  return running.training ? running.training->samples_done() : running.attempt.samples_done;
}

VirtualEngine::Slot VirtualEngine::take_slot() {
  if (free_.empty()) {
    slots_.emplace_back();
    return static_cast<Slot>(slots_.size() - 1);
  }
  const Slot slot = free_.back();
  free_.pop_back();
  return slot;
}

void VirtualEngine::schedule(Slot slot, Instant at, Kind kind) {
  heap_.set(slot, {at, kind, slots_[slot].attempt.id.value()});
}

void VirtualEngine::schedule_stretch(Slot slot) {
  const VirtualTraining& training = *slots_[slot].training;
  schedule(slot, training.stretch_end(), training.ends_attempt() ? kEnd : kProgress);
}

VirtualEngine::Slot VirtualEngine::place(const Attempt& attempt, Phase phase) {
  const Slot slot = take_slot();
  Running& running = slots_[slot];
  running.attempt = attempt;
  running.phase = phase;
  running.training.reset();
  running.stop_asked = false;
  running.before = running.next = AttemptId{};
  slot_of_.insert(attempt.id, slot);
  return slot;
}

void VirtualEngine::start(const Attempt& attempt) {
  const Slot slot = place(attempt, Phase::starting);
  memory_.take(attempt);
  if (memory_.overfull(attempt)) return schedule(slot, now_, kEnd);
  schedule(slot, now_ + start_cost(attempt, cluster_, costs_), kStart);
}

void VirtualEngine::stop(AttemptId attempt) {
  Running* running = find(attempt);
  if (running == nullptr || running->phase == Phase::checkpointing) return;
  if (running->phase == Phase::starting) {
    running->stop_asked = true;
    return;
  }
  running->training->ask_stop(now_);
  schedule_stretch(slot_of_.at(attempt));
}

void VirtualEngine::retune(AttemptId attempt, const scheduler::BatchPlan& batch) {
  Running* running = find(attempt);
  if (running == nullptr || running->phase == Phase::checkpointing) return;
  if (running->phase == Phase::starting) {
    memory_.give_back(running->attempt);
    running->attempt.batch = batch;
    memory_.take(running->attempt);
    return;
  }
  running->training->ask_batch(now_, batch);
  schedule_stretch(slot_of_.at(attempt));
}

Instant VirtualEngine::next(Instant deadline, std::vector<TimedEvent>& happened) {
  const Instant first = std::min(heap_.empty() ? kNever : heap_.first().at, next_outage());
  if (first > deadline) {
    now_ = deadline;
    return now_;
  }
  if (first == kNever) {
    throw Error(ExitCode::run_failed,
                "nothing is left to happen while jobs wait: the policy starts none of them and "
                "asks for no wake-up; \"mimus summary\" shows what they wait for");
  }
  now_ = first;
  const auto due = [&](std::int64_t last_kind) {
    return !heap_.empty() && heap_.first().at == now_ && heap_.first().kind <= last_kind;
  };
  while (due(kEnd)) happen(heap_.first_slot(), happened);
  outages(happened);
  while (due(kProgress)) happen(heap_.first_slot(), happened);
  return now_;
}

void VirtualEngine::happen(Slot slot, Happened& happened) {
  Running& running = slots_[slot];
  switch (running.phase) {
    case Phase::joining:
      return joined(slot);
    case Phase::starting:
      return first_step(slot, happened);
    case Phase::stepping:
      return stretch_ended(slot, happened);
    case Phase::checkpointing:
      return end(slot, EndReason::preempted, "", running.training->samples_done(), happened);
  }
}

StepCost VirtualEngine::cost_of(const Running& running) const {
  return steps_.step(running.attempt, contention_.of(running.attempt.id));
}

void VirtualEngine::first_step(Slot slot, Happened& happened) {
  Running& running = slots_[slot];
  const Attempt& attempt = running.attempt;
  if (const auto gpu = memory_.overfull(attempt)) {
    const std::string detail = fmt::format(
        "out of memory on GPU {}: a replica of {} with batch {} needs {}", gpu->value(),
        attempt.model->name, attempt.batch.per_gpu, format_bytes(memory_.need(attempt)));
    return end(slot, EndReason::out_of_memory, detail, attempt.samples_kept, happened);
  }
  running.phase = Phase::stepping;
  running.training.emplace(attempt, steps_, settings_.report_every);
  contention_.enter(attempt, changed_);
  running.training->set_solo_step(steps_.step(attempt, {}).step);
  running.training->begin(now_, cost_of(running), contention_.co_tenants(attempt.id));
  if (running.stop_asked) running.training->ask_stop(now_);
  schedule_stretch(slot);
  update_changed(happened);
  happened.push_back({now_, scheduler::AttemptStarted{attempt.id}});
}

/// Gives the attempts whose surroundings have changed their new step times.
void VirtualEngine::update_changed(Happened& happened) {
  for (const AttemptId id : changed_) {
    const Slot slot = slot_of_.at(id);
    Running& running = slots_[slot];
    running.training->change(now_, cost_of(running), contention_.co_tenants(id));
    tell(running.training->report_closed(), happened);
    schedule_stretch(slot);
  }
  changed_.clear();
}

void VirtualEngine::stretch_ended(Slot slot, Happened& happened) {
  using Outcome = VirtualTraining::Outcome;
  Running& running = slots_[slot];
  VirtualTraining& training = *running.training;
  const bool report = training.report_due();
  switch (training.advance()) {
    case Outcome::finished:
      return end(slot, EndReason::finished, "", training.samples_done(), happened);
    case Outcome::failed:
      return end(slot, EndReason::failed, running.attempt.fail_reason, running.attempt.samples_kept,
                 happened);
    case Outcome::stopped:
      if (running.next) return go_on_resized(slot, happened);
      return begin_checkpoint(slot, happened);
    case Outcome::retuned:
      if (report) tell(training.report(now_), happened);
      return new_batch(slot, happened);
    case Outcome::goes_on:
      if (report) tell(training.report(now_), happened);
      return schedule_stretch(slot);
  }
}

void VirtualEngine::new_batch(Slot slot, Happened& happened) {
  Running& running = slots_[slot];
  memory_.give_back(running.attempt);
  running.attempt.batch = running.training->batch();
  memory_.take(running.attempt);
  if (const auto gpu = memory_.overfull(running.attempt)) {
    return end(slot, EndReason::out_of_memory,
               fmt::format("out of memory on GPU {} with batch {}", gpu->value(),
                           running.attempt.batch.per_gpu),
               running.attempt.samples_kept, happened);
  }
  contention_.retuned(running.attempt.id, changed_);
  running.training->set_solo_step(steps_.step(running.attempt, {}).step);
  running.training->change(now_, cost_of(running), contention_.co_tenants(running.attempt.id));
  running.training->replan(now_);
  schedule_stretch(slot);
  update_changed(happened);
}

void VirtualEngine::begin_checkpoint(Slot slot, Happened& happened) {
  Running& running = slots_[slot];
  const Duration cost = checkpoint_cost(running.attempt, cluster_, costs_);
  if (cost == Duration::zero()) {
    return end(slot, EndReason::preempted, "", running.training->samples_done(), happened);
  }
  leave_contention(running, happened);
  tell(running.training->report(now_), happened);
  running.phase = Phase::checkpointing;
  schedule(slot, now_ + cost, kEnd);
}

void VirtualEngine::leave_contention(Running& running, Happened& happened) {
  if (running.phase != Phase::stepping) return;
  contention_.leave(running.attempt.id, changed_);
  update_changed(happened);
}

/// It has slowed nobody since its checkpoint began, but to the record it is a co-tenant until now.
void VirtualEngine::tell_neighbours(const Running& running, Happened& happened) {
  contention_.neighbours(running.attempt, changed_);
  update_changed(happened);
}

void VirtualEngine::tell(AttemptProgress progress, Happened& happened) const {
  if (!progress.windows.empty()) happened.push_back({now_, std::move(progress)});
}

void VirtualEngine::end(Slot slot, EndReason reason, std::string detail, double kept,
                        Happened& happened) {
  Running& running = slots_[slot];
  leave_contention(running, happened);
  if (running.phase == Phase::checkpointing) tell_neighbours(running, happened);
  if (running.training) tell(running.training->report(now_), happened);
  forget(running.next);
  memory_.give_back(running.attempt);
  heap_.remove(slot);
  slot_of_.erase(running.attempt.id);
  free_.push_back(slot);
  happened.push_back(
      {now_, scheduler::AttemptEnded{running.attempt.id, reason, std::move(detail), kept}});
  running.training.reset();
}

}  // namespace mimus::emulator
