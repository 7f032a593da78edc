// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Attempts that go on with another batch or other limits.
#include <utility>

#include <fmt/format.h>

#include "emulator/virtual/virtual_engine.hpp"

namespace mimus::emulator {

using scheduler::EndReason;

void VirtualEngine::retune(AttemptId attempt, const scheduler::BatchPlan& batch) {
  VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || running->is_leaving()) return;
  if (running->phase == Phase::starting) {
    memory_.give_back(running->attempt);
    running->attempt.batch = batch;
    memory_.take(running->attempt);
    return;
  }
  running->training->ask_batch(now_, batch);
  command_given(attempts_.slot_of(attempt));
}

void VirtualEngine::limit(AttemptId attempt, const scheduler::DeviceLimits& limits) {
  VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || !running->trains()) return;
  running->asked_limits = limits;
  running->training->ask_other_cost(now_);
  command_given(attempts_.slot_of(attempt));
}

void VirtualEngine::read(AttemptId attempt, double samples_per_second) {
  VirtualAttempt* running = attempts_.find(attempt);
  if (running == nullptr || !running->trains()) return;
  running->asked_read_rate = samples_per_second;
  running->training->ask_other_rate(now_);
  command_given(attempts_.slot_of(attempt));
}

/// Another batch, other limits or another rate of reading hold from now on.
void VirtualEngine::retuned(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  memory_.give_back(running.attempt);
  running.attempt.batch = running.training->batch();
  const auto limits = std::exchange(running.asked_limits, {});
  running.attempt.limits = limits.value_or(running.attempt.limits);
  running.read_rate = running.asked_read_rate;
  memory_.take(running.attempt);
  if (const auto gpu = memory_.overfull(running.attempt)) {
    return end(slot, EndReason::out_of_memory,
               fmt::format("out of memory on GPU {} with batch {}", gpu->value(),
                           running.attempt.batch.per_gpu),
               running.attempt.samples_kept, happened);
  }
  contention_.retuned(running.attempt.id, changed_);
  running.training->set_solo_step(solo_step(running.attempt));
  running.training->change(now_, cost_of(running), contention_.co_tenants(running.attempt.id));
  running.training->replan(now_);
  schedule_stretch(slot);
  update_changed(happened);
  if (limits) happened.push_back({now_, scheduler::AttemptLimited{running.attempt.id}});
}

}  // namespace mimus::emulator
