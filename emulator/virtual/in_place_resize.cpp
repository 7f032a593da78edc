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
  const Running* running = find(from);
  if (running == nullptr || running->phase != Phase::stepping) return;
  const bool grows = to.allocation.slots.size() > running->attempt.allocation.slots.size();
  const Slot slot = place(to, Phase::joining);
  slots_[slot].before = from;
  find(from)->next = to.id;
  if (!grows) return joined(slot);
  schedule(slot, now_ + join_cost(to, costs_), kStart);
}

/// All new members are ready: the next step boundary is the last one of the attempt before.
void VirtualEngine::joined(Slot slot) {
  heap_.remove(slot);
  const Slot before = slot_of_.at(slots_[slot].before);
  slots_[before].training->ask_stop(now_);
  schedule_stretch(before);
}

void VirtualEngine::go_on_resized(Slot slot, Happened& happened) {
  Running& before = slots_[slot];
  const Slot next = slot_of_.at(std::exchange(before.next, AttemptId{}));
  const double samples = before.training->samples_done();
  const std::size_t gang = before.attempt.allocation.slots.size();
  Running& running = slots_[next];
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
  const Slot slot = slot_of_.at(joining);
  heap_.remove(slot);
  slot_of_.erase(joining);
  free_.push_back(slot);
}

}  // namespace mimus::emulator
