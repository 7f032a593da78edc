// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Nodes that go down and come up again.
#include <algorithm>

#include <fmt/format.h>

#include "emulator/virtual/virtual_engine.hpp"

namespace mimus::emulator {

using scheduler::EndReason;

Instant VirtualEngine::next_outage() const {
  const bool any = next_node_change_ < node_changes_.size();
  return any ? node_changes_[next_node_change_].at : kNever;
}

void VirtualEngine::outages(Happened& happened) {
  for (; next_outage() == now_; ++next_node_change_) {
    const EventKey& change = node_changes_[next_node_change_];
    if (change.kind == kNodeUp) {
      happened.push_back({now_, scheduler::NodeUp{NodeId{change.id}}});
    } else {
      node_down(NodeId{change.id}, happened);
    }
  }
}

/// What ran on the node, or was about to grow onto it, falls back to its last checkpoint.
void VirtualEngine::node_down(NodeId node, Happened& happened) {
  std::vector<AttemptId> hit;
  for (const Running& running : slots_) {
    const auto& slots = running.attempt.allocation.slots;
    const bool on_node = std::any_of(slots.begin(), slots.end(), [&](const auto& slot) {
      return cluster_.shape.node_of(slot.gpu) == node;
    });
    if (on_node && slot_of_.find(running.attempt.id) != nullptr) hit.push_back(running.attempt.id);
  }
  std::sort(hit.begin(), hit.end());
  for (const AttemptId id : hit) {
    if (find(id) == nullptr) continue;  // it was to go on from one that has just ended
    const bool joins = find(id)->phase == Phase::joining;
    const Slot slot = slot_of_.at(joins ? find(id)->before : id);
    Running& running = slots_[slot];
    if (running.phase == Phase::stepping) running.training->cut_off(now_);
    end(slot, EndReason::node_down, fmt::format("node {} went down", node.value()),
        running.attempt.samples_kept, happened);
  }
  happened.push_back({now_, scheduler::NodeDown{node}});
}

}  // namespace mimus::emulator
