// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/attempt_slots.hpp"

#include <algorithm>

namespace mimus::emulator {

AttemptSlots::Slot AttemptSlots::place(const Attempt& attempt, VirtualAttempt::Phase phase) {
  if (free_.empty()) {
    free_.push_back(static_cast<Slot>(slots_.size()));
    slots_.emplace_back();
  }
  const Slot slot = free_.back();
  free_.pop_back();
  VirtualAttempt& placed = slots_[slot];
  placed.attempt = attempt;
  placed.phase = phase;
  placed.training.reset();
  placed.asked_limits.reset();
  placed.read_rate = placed.asked_read_rate = VirtualAttempt::kReadsAtOnce;
  placed.asked_keeps = placed.keeps = scheduler::SuspendedMemory::all;
  placed.stop_asked = false;
  placed.before = placed.next = AttemptId{};
  slot_of_.insert(attempt.id, slot);
  return slot;
}

void AttemptSlots::erase(Slot slot) {
  slot_of_.erase(slots_[slot].attempt.id);
  free_.push_back(slot);
}

VirtualAttempt* AttemptSlots::find(AttemptId attempt) {
  const Slot* found = slot_of_.find(attempt);
  return found == nullptr ? nullptr : &slots_[*found];
}

std::vector<AttemptId> AttemptSlots::all_that(
    const std::function<bool(const VirtualAttempt&)>& are) const {
  std::vector<AttemptId> found;
  for (const VirtualAttempt& one : slots_) {
    if (slot_of_.find(one.attempt.id) != nullptr && are(one)) found.push_back(one.attempt.id);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<AttemptId> AttemptSlots::on_node(NodeId node,
                                             const scheduler::ClusterShape& shape) const {
  const auto is_here = [&](const auto& slot) { return shape.node_of(slot.gpu) == node; };
  return all_that([&](const VirtualAttempt& one) {
    const scheduler::Allocation& allocation = one.attempt.allocation;
    return allocation.node == node || std::ranges::any_of(allocation.slots, is_here);
  });
}

}  // namespace mimus::emulator
