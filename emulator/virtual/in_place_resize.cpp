// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Gangs that grow, shrink and move without a restart.
#include <algorithm>
#include <utility>

#include "emulator/transition_costs.hpp"
#include "emulator/virtual/virtual_engine.hpp"

namespace mimus::emulator {

void VirtualEngine::resize(AttemptId from, const Attempt& to) {
  const VirtualAttempt* running = attempts_.find(from);
  if (running == nullptr || !running->trains()) return;
  const auto& before = running->attempt.allocation;
  const bool is_joined =
      to.allocation.slots.size() > before.slots.size() || is_move(before, to.allocation);
  const Slot slot = attempts_.place(to, Phase::joining);
  attempts_[slot].before = from;
  attempts_.find(from)->next = to.id;
  if (!is_joined) return joined(slot);
  schedule(slot, now_ + join_cost(to, costs_), kStart);
}

/// All new members are ready. The next step boundary is the last one of the previous attempt.
void VirtualEngine::joined(Slot slot) {
  heap_.remove(slot);
  const Slot before = attempts_.slot_of(attempts_[slot].before);
  attempts_[before].training->ask_stop(now_);
  command_given(before);
}

/// The attempt has made its last step.
void VirtualEngine::hand_over(Slot slot, Happened& happened) {
  VirtualAttempt& running = attempts_[slot];
  const Attempt& to = attempts_.at(running.next).attempt;
  if (!is_move(running.attempt.allocation, to.allocation)) return go_on_as_next(slot, happened);
  leave_contention(running, happened);
  tell(running.training->report(now_), happened);
  running.phase = Phase::moving;
  schedule(slot, now_ + move_cost(running.attempt, to, cluster_, costs_), kEnd);
}

void VirtualEngine::go_on_as_next(Slot slot, Happened& happened) {
  VirtualAttempt& before = attempts_[slot];
  const Slot next = attempts_.slot_of(std::exchange(before.next, AttemptId{}));
  const double samples = before.training->samples_done();
  const double kept = before.attempt.samples_kept;
  VirtualAttempt& running = attempts_[next];
  const Attempt& to = running.attempt;
  const bool moves = is_move(before.attempt.allocation, to.allocation);
  const Duration pause = moves ? cost_after_move(to, cluster_, costs_)
                               : resize_cost(before.attempt, to, cluster_, costs_);
  end(slot, moves ? EndReason::moved : EndReason::resized,
      followed_text(before.attempt.allocation, to.allocation), samples, happened);
  running.attempt.samples_done = samples;
  running.attempt.samples_kept = std::max(running.attempt.samples_kept, kept);
  running.phase = Phase::starting;
  failing_.add(running.attempt);
  memory_.take(running.attempt);
  schedule(next, now_ + pause, kStart);
}

void VirtualEngine::forget(AttemptId joining) {
  if (!joining) return;
  const Slot slot = attempts_.slot_of(joining);
  heap_.remove(slot);
  attempts_.erase(slot);
}

}  // namespace mimus::emulator
