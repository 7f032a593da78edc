// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Nodes of a live cell that go down and come back. No process dies: workers of such a node leave
// what they run, and its GPUs are given nothing until it is up again.
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
std::int64_t LiveEngine::cut_of(const scheduler::Allocation& allocation) const {
  const Instant down = outages_.first_down(nodes_of(allocation, cell_.cluster.shape));
  return down == kNever ? 0 : cell_.local(down).time_since_epoch().count();
}

/// All has been told that happened before. The clock stands still meanwhile, because rank 0 does
/// not promise anything, so what follows from an outage begins at its instant.
void LiveEngine::take_outages() {
  const Instant at = clock_.reached(outages_.next());
  while (outages_.next() <= at) {
    const NodeOutages::Change change = outages_.take();
    if (change.comes_up) {
      due_.push_back({clock_.last(), scheduler::NodeUp{change.node}});
    } else {
      cut_off(change.node);
      due_.push_back({clock_.last(), scheduler::NodeDown{change.node}});
    }
  }
}

/// Ends the attempts on the node, and those about to grow onto it, when all members have left them.
void LiveEngine::cut_off(NodeId node) {
  const auto is_on = [&](const scheduler::Allocation& allocation) {
    return nodes_of(allocation, cell_.cluster.shape).contains(node);
  };
  std::vector<AttemptId> hit;
  for (const auto& [id, running] : running_) {
    const auto* resize = resizes_.find(id);
    if (!is_on(running.allocation) && (resize == nullptr || !is_on(resize->running.allocation))) {
      continue;
    }
    hit.push_back(id);
    abandoned_.abandon(
        id, running, resize != nullptr ? AttemptId{resize->next.attempt} : AttemptId{},
        resize != nullptr ? resize->joining : std::vector<int>{},
        {scheduler::EndReason::node_down, fmt::format("node {} went down", node.value())});
  }
  end_abandoned();
  const auto is_left = [this](AttemptId id) { return !abandoned_.contains(id); };
  Backoff backoff(std::chrono::microseconds{50}, kLongestNap);
  while (!std::ranges::all_of(hit, is_left)) {
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
