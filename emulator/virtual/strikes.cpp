// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What ends attempts from outside: nodes that go down or have a fault, and failures that are
// planned for an instant. They fall back to their last checkpoint.
#include <algorithm>

#include <fmt/format.h>

#include "emulator/virtual/virtual_engine.hpp"

namespace mimus::emulator {

/// Further failures of nodes cannot help jobs that wait for ever.
Instant VirtualEngine::next_strike(Instant deadline) const {
  const bool waits = heap_.empty() && deadline == kNever && !outages_.may_help();
  return std::min(waits ? kNever : outages_.next(), failing_.next());
}

void VirtualEngine::strike(Happened& happened) {
  while (failing_.next() == now_) {
    const AttemptId attempt = failing_.first();
    const std::string& why = attempts_.at(attempt).attempt.fail_reason;
    cut_off({attempt, EndReason::failed, why, 0.0, {}}, happened);
  }
  while (outages_.next() == now_) {
    const NodeOutages::Change change = outages_.take();
    switch (change.kind) {
      case NodeOutages::Kind::goes_down:
        hit(change.node, EndReason::node_down,
            fmt::format("node {} went down", change.node.value()), happened);
        happened.push_back({now_, scheduler::NodeDown{change.node}});
        break;
      case NodeOutages::Kind::fault:
        hit(change.node, EndReason::failed, kNodeFault, happened);
        break;
      case NodeOutages::Kind::comes_up:
        happened.push_back({now_, scheduler::NodeUp{change.node}});
        break;
      case NodeOutages::Kind::mended:
        break;
    }
  }
}

/// Also attempts that are about to grow onto the node.
void VirtualEngine::hit(NodeId node, EndReason reason, const std::string& detail,
                        Happened& happened) {
  for (const AttemptId id : attempts_.on_node(node, cluster_.shape)) {
    const VirtualAttempt* found = attempts_.find(id);
    if (found == nullptr) continue;  // it was to follow an attempt that has just ended
    const AttemptId hit = found->phase == Phase::joining ? found->before : id;
    cut_off({hit, reason, detail, 0.0, node}, happened);
  }
}

void VirtualEngine::cut_off(const scheduler::AttemptEnded& end, Happened& happened) {
  const Slot slot = attempts_.slot_of(end.attempt);
  VirtualAttempt& running = attempts_[slot];
  if (running.phase == Phase::stepping) running.training->cut_off(now_);
  this->end(slot, end.reason, end.detail, running.attempt.samples_kept, happened);
  std::get<scheduler::AttemptEnded>(happened.back().event).node = end.node;
}

}  // namespace mimus::emulator
