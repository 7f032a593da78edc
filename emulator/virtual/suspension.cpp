// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Attempts that make no steps for a while.
#include "emulator/transition_costs.hpp"
#include "emulator/virtual/virtual_engine.hpp"

namespace mimus::emulator {

using scheduler::SuspendedMemory;

void VirtualEngine::suspend(AttemptId attempt, SuspendedMemory keeps) {
  VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || !running->trains()) return;
  running->asked_keeps = keeps;
  running->training->ask_suspension(now_);
  command_given(attempts_.slot_of(attempt));
}

void VirtualEngine::save(AttemptId attempt) {
  VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || !running->trains()) return;
  running->training->ask_checkpoint(now_);
  command_given(attempts_.slot_of(attempt));
}

void VirtualEngine::begin_saving(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  leave_contention(running, happened);
  tell(running.training->report(now_), happened);
  running.phase = Phase::saving;
  schedule(slot, now_ + checkpoint_cost(running.attempt, cluster_, costs_), kStart);
}

void VirtualEngine::saved(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  running.attempt.samples_kept = running.training->samples_done();
  train(slot, happened);
  happened.push_back({now_, AttemptSaved{running.attempt.id, running.attempt.samples_kept}});
}

void VirtualEngine::begin_suspension(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  leave_contention(running, happened);
  tell(running.training->report(now_), happened);
  if (running.asked_keeps != SuspendedMemory::nothing) return suspended(slot, happened);
  running.phase = Phase::emptying;
  schedule(slot, now_ + host_transfer(running), kStart);
}

void VirtualEngine::suspended(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  keep(running, running.asked_keeps);
  running.phase = Phase::suspended;
  heap_.remove(slot);
  happened.push_back({now_, scheduler::AttemptSuspended{running.attempt.id}});
  if (running.stop_asked) stop_suspended(slot);
}

/// The replicas hold so much from now on.
void VirtualEngine::keep(VirtualAttempt& running, SuspendedMemory keeps) {
  memory_.give_back(running.attempt, running.keeps);
  running.keeps = keeps;
  memory_.take(running.attempt, running.keeps);
}

/// Of the state, between a GPU and its host.
Duration VirtualEngine::host_transfer(const VirtualAttempt& running) {
  return memory_.need(running.attempt, SuspendedMemory::state) /
         cluster_.gpu_of(running.attempt.allocation.slots.front().gpu).host_link;
}

/// Like an attempt that starts, it holds its memory from now on, before it makes steps.
void VirtualEngine::resume(AttemptId attempt) {
  VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || running->phase != Phase::suspended) return;
  const Slot slot = attempts_.slot_of(attempt);
  const bool is_on_host = running->keeps == SuspendedMemory::nothing;
  running->phase = Phase::resuming;
  keep(*running, SuspendedMemory::all);
  if (memory_.overfull(running->attempt)) return schedule(slot, now_, kEnd);
  const Duration transfer = is_on_host ? host_transfer(*running) : Duration{};
  schedule(slot, now_ + transfer + resume_cost(costs_), kStart);
}

void VirtualEngine::go_on(Slot slot, Happened& happened) {
  if (const auto gpu = memory_.overfull(attempts_[slot].attempt)) {
    return out_of_memory(slot, *gpu, happened);
  }
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
