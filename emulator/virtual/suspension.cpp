// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Attempts that make no steps for a while and keep their memory.
#include "emulator/transition_costs.hpp"
#include "emulator/virtual/virtual_engine.hpp"

namespace mimus::emulator {

void VirtualEngine::suspend(AttemptId attempt) {
  const VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || running->phase != Phase::stepping) return;
  const Slot slot = attempts_.slot_of(attempt);
  attempts_[slot].training->ask_suspension(now_);
  schedule_stretch(slot);
}

void VirtualEngine::begin_suspension(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  leave_contention(running, happened);
  tell(running.training->report(now_), happened);
  running.phase = Phase::suspended;
  heap_.remove(slot);
  happened.push_back({now_, scheduler::AttemptSuspended{running.attempt.id}});
}

void VirtualEngine::resume(AttemptId attempt) {
  const VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || running->phase != Phase::suspended) return;
  const Slot slot = attempts_.slot_of(attempt);
  attempts_[slot].phase = Phase::resuming;
  schedule(slot, now_ + resume_cost(costs_), kStart);
}

void VirtualEngine::go_on(Slot slot, Happened& happened) {
  train(slot, happened);
  happened.push_back({now_, scheduler::AttemptResumed{attempts_[slot].attempt.id}});
}

/// Writes the checkpoint without making another step.
void VirtualEngine::stop_suspended(Slot slot) {
  VirtualAttempt& running = attempts_[slot];
  running.phase = Phase::checkpointing;
  schedule(slot, now_ + checkpoint_cost(running.attempt, cluster_, costs_), kEnd);
}

}  // namespace mimus::emulator
