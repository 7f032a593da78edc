// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What ends attempts of a live cell from outside, at instants that rank 0 knows beforehand: nodes
// that go down or have a fault, and failures that are planned for an instant. No process dies:
// workers leave what they run. The GPUs of a node that is down are given nothing until it is up.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "emulator/live/engine/live_engine.hpp"

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
std::int64_t LiveEngine::cut_of(const Attempt& attempt) const {
  const Instant end = outages_.first_end(nodes_of(attempt.allocation, cell_.cluster.shape));
  const Instant first = std::min(end, attempt.fail_at);
  return first == kNever ? 0 : cell_.local(first).time_since_epoch().count();
}

/// Further failures of nodes cannot help jobs that wait for ever.
Instant LiveEngine::next_strike(Instant deadline) const {
  const bool waits = running_.empty() && deadline == kNever && !outages_.may_help();
  return std::min(waits ? kNever : outages_.next(), running_.first_failure());
}

/// All has been told that happened before. The clock stands still meanwhile, because rank 0 does
/// not promise anything, so what follows begins at this instant.
void LiveEngine::strike(Instant at) {
  std::vector<AttemptId> fail;
  for (const auto& [id, running] : running_) {
    if (running.fail_at <= at) fail.push_back(id);
  }
  for (const AttemptId id : fail) {
    cut_off(id, {scheduler::EndReason::failed, running_.at(id).fail_reason, {}});
  }
  await_cut_off(fail);
  while (outages_.next() <= at) {
    const NodeOutages::Change change = outages_.take();
    switch (change.kind) {
      case NodeOutages::Kind::goes_down:
        hit(change.node, scheduler::EndReason::node_down,
            fmt::format("node {} went down", change.node.value()));
        due_.push_back({clock_.last(), scheduler::NodeDown{change.node}});
        break;
      case NodeOutages::Kind::fault:
        hit(change.node, scheduler::EndReason::failed, kNodeFault);
        break;
      case NodeOutages::Kind::comes_up:
        due_.push_back({clock_.last(), scheduler::NodeUp{change.node}});
        break;
      case NodeOutages::Kind::mended:
        break;
    }
  }
}

/// Also attempts that are about to grow onto the node.
void LiveEngine::hit(NodeId node, scheduler::EndReason reason, const std::string& detail) {
  const auto is_on = [&](const scheduler::Allocation& allocation) {
    return nodes_of(allocation, cell_.cluster.shape).contains(node);
  };
  std::vector<AttemptId> hit;
  for (const auto& [id, running] : running_) {
    const auto* resize = resizes_.find(id);
    const bool grows = resize != nullptr && is_on(resize->running.allocation);
    if (grows || is_on(running.allocation)) hit.push_back(id);
  }
  for (const AttemptId id : hit) cut_off(id, {reason, detail, node});
  await_cut_off(hit);
}

void LiveEngine::cut_off(AttemptId attempt, const AbandonedAttempts::Cause& cause) {
  const auto* resize = resizes_.find(attempt);
  abandoned_.abandon(attempt, running_.at(attempt),
                     resize != nullptr ? AttemptId{resize->next.attempt} : AttemptId{},
                     resize != nullptr ? resize->joining : std::vector<int>{}, cause);
}

/// Until all members have left them.
void LiveEngine::await_cut_off(const std::vector<AttemptId>& attempts) {
  end_abandoned();
  const auto is_left = [this](AttemptId id) { return !abandoned_.contains(id); };
  Backoff backoff(std::chrono::microseconds{50}, kLongestNap);
  while (!std::ranges::all_of(attempts, is_left)) {
    processes_.throw_if_stopped();
    if (auto envelope = mailbox_.poll()) {
      hear_while_cutting(std::move(*envelope));
      continue;
    }
    watch(wall_now());
    clock_.run_errand();
    backoff.nap();
  }
}

}  // namespace mimus::emulator
