// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Gangs that grow and shrink without a restart.
#include <utility>

#include "emulator/transition_costs.hpp"
#include "emulator/virtual/virtual_engine.hpp"

namespace mimus::emulator {

using scheduler::EndReason;

void VirtualEngine::resize(AttemptId from, const Attempt& to) {
  const VirtualAttempt* running = attempts_.find(from);
  if (running == nullptr || running->phase != Phase::stepping) return;
  const bool grows = to.allocation.slots.size() > running->attempt.allocation.slots.size();
  const Slot slot = attempts_.place(to, Phase::joining);
  attempts_[slot].before = from;
  attempts_.find(from)->next = to.id;
  if (!grows) return joined(slot);
  schedule(slot, now_ + join_cost(to, costs_), kStart);
}

/// All new members are ready. The next step boundary is the last one of the previous attempt.
void VirtualEngine::joined(Slot slot) {
  heap_.remove(slot);
  const Slot before = attempts_.slot_of(attempts_[slot].before);
  attempts_[before].training->ask_stop(now_);
  schedule_stretch(before);
}

void VirtualEngine::go_on_resized(Slot slot, Happened& happened) {
  VirtualAttempt& before = attempts_[slot];
  const Slot next = attempts_.slot_of(std::exchange(before.next, AttemptId{}));
  const double samples = before.training->samples_done();
  const std::size_t gang = before.attempt.allocation.slots.size();
  VirtualAttempt& running = attempts_[next];
  const std::size_t resized = running.attempt.allocation.slots.size();
  end(slot, EndReason::resized, resized_text(gang, resized), samples, happened);
  running.attempt.samples_done = samples;
  running.phase = Phase::starting;
  memory_.take(running.attempt);
  const Duration transfer = resized > gang ? steps_.state_transfer(running.attempt) : Duration{};
  schedule(next, now_ + resize_cost(transfer, costs_), kStart);
}

void VirtualEngine::forget(AttemptId joining) {
  if (!joining) return;
  const Slot slot = attempts_.slot_of(joining);
  heap_.remove(slot);
  attempts_.erase(slot);
}

}  // namespace mimus::emulator
