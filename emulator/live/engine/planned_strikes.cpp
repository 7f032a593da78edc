// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/engine/planned_strikes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

std::set<NodeId> nodes_of(const scheduler::Allocation& allocation,
                          const scheduler::ClusterShape& shape) {
  std::set<NodeId> nodes;
  for (const auto& slot : allocation.slots) nodes.insert(shape.node_of(slot.gpu));
  return nodes;
}

}  // namespace

/// Workers know it in advance, because they must not get beyond it: they would report, or write a
/// checkpoint of, what never happened.
std::int64_t PlannedStrikes::cut_of(const Attempt& attempt) const {
  const Instant end =
      state_.outages.first_end(nodes_of(attempt.allocation, state_.cell.cluster.shape));
  const Instant first = std::min(end, attempt.fail_at);
  return first == kNever ? 0 : state_.cell.local(first).time_since_epoch().count();
}

/// Further failures of nodes cannot help jobs that wait for ever.
Instant PlannedStrikes::next(Instant deadline) const {
  const bool waits = state_.running.empty() && deadline == kNever && !state_.outages.may_help();
  return std::min(waits ? kNever : state_.outages.next(), state_.running.first_failure());
}

/// All has been told that happened before. The clock stands still meanwhile, because rank 0 does
/// not promise anything, so what follows begins at this instant.
void PlannedStrikes::strike(Instant at) {
  std::vector<AttemptId> fail;
  for (const auto& [id, running] : state_.running) {
    if (running.fail_at <= at) fail.push_back(id);
  }
  for (const AttemptId id : fail) {
    cut_off(id, {scheduler::EndReason::failed, state_.running.at(id).fail_reason, {}});
  }
  await_cut_off(fail);
  while (state_.outages.next() <= at) {
    const NodeOutages::Change change = state_.outages.take();
    switch (change.kind) {
      case NodeOutages::Kind::goes_down:
        hit(change.node, scheduler::EndReason::node_down,
            fmt::format("node {} went down", change.node.value()));
        state_.due.push_back({state_.clock.last(), scheduler::NodeDown{change.node}});
        break;
      case NodeOutages::Kind::fault:
        hit(change.node, scheduler::EndReason::failed, kNodeFault);
        break;
      case NodeOutages::Kind::comes_up:
        state_.due.push_back({state_.clock.last(), scheduler::NodeUp{change.node}});
        break;
      case NodeOutages::Kind::mended:
        break;
    }
  }
}

/// Also attempts that are about to grow onto the node.
void PlannedStrikes::hit(NodeId node, scheduler::EndReason reason, const std::string& detail) {
  const auto is_on = [&](const scheduler::Allocation& allocation) {
    return nodes_of(allocation, state_.cell.cluster.shape).contains(node);
  };
  std::vector<AttemptId> hit;
  for (const auto& [id, running] : state_.running) {
    const auto* resize = state_.resizes.find(id);
    const bool grows = resize != nullptr && is_on(resize->running.allocation);
    if (grows || is_on(running.allocation)) hit.push_back(id);
  }
  for (const AttemptId id : hit) cut_off(id, {reason, detail, node});
  await_cut_off(hit);
}

void PlannedStrikes::cut_off(AttemptId attempt, const AbandonedAttempts::Cause& cause) {
  const auto* resize = state_.resizes.find(attempt);
  state_.abandoned.abandon(attempt, state_.running.at(attempt),
                           resize != nullptr ? AttemptId{resize->next.attempt} : AttemptId{},
                           resize != nullptr ? resize->joining : std::vector<int>{}, cause);
}

/// Until all members have left them.
void PlannedStrikes::await_cut_off(const std::vector<AttemptId>& attempts) {
  watch_.end_abandoned();
  const auto is_left = [this](AttemptId id) { return !state_.abandoned.contains(id); };
  Backoff backoff(std::chrono::microseconds{50}, kLongestNap);
  while (!std::ranges::all_of(attempts, is_left)) {
    state_.processes.throw_if_stopped();
    if (auto envelope = state_.mailbox.poll()) {
      reports_.hear_while_cutting(std::move(*envelope));
      continue;
    }
    watch_.look(wall_now());
    state_.clock.run_errand();
    backoff.nap();
  }
}

}  // namespace mimus::emulator
