// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/least_cost.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {
namespace {

struct Candidate {
  std::vector<NodeShare> shares;
  std::int64_t reluctance = 0;
  [[nodiscard]] std::pair<std::size_t, std::int64_t> key() const {
    return {shares.size(), reluctance};
  }
};

/// Nodes with at least `count` usable GPUs, by number.
std::vector<NodeId> nodes_with(const FreeGpus& free, int count) {
  std::vector<NodeId> nodes;
  for (std::int64_t n = 0; n < free.shape().nodes; ++n) {
    if (free.by_node().count(NodeId{n}) >= count) nodes.push_back(NodeId{n});
  }
  return nodes;
}

/// In the order in which they are taken after `first`.
std::vector<NodeId> outward(const FreeGpus& free, std::vector<NodeId> nodes, NodeId first) {
  const auto key = [&](NodeId node) {
    const auto distance =
        std::abs(free.shape().rack_of(node).value() - free.shape().rack_of(first).value());
    return std::tuple(node != first, distance, -free.by_node().count(node), node);
  };
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return key(a) < key(b); });
  return nodes;
}

Candidate filled_from(const FreeGpus& free, const std::vector<NodeId>& nodes, NodeId first,
                      int gang) {
  Candidate candidate;
  for (const NodeId node : outward(free, nodes, first)) {
    const int here = std::min(gang, free.by_node().count(node));
    candidate.shares.push_back({node, here});
    candidate.reluctance += free.reluctance(node, here);
    gang -= here;
    if (gang == 0) break;
  }
  return candidate;
}

/// The first nodes to try: the best by their best GPU, at most `most` of them.
std::vector<NodeId> seeds(const FreeGpus& free, std::vector<NodeId> nodes, int most) {
  std::vector<std::pair<std::int64_t, NodeId>> ranked;
  for (const NodeId node : nodes) ranked.emplace_back(free.reluctance(node, 1), node);
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > static_cast<std::size_t>(most)) ranked.resize(static_cast<std::size_t>(most));
  nodes.clear();
  for (const auto& [reluctance, node] : ranked) nodes.push_back(node);
  return nodes;
}

}  // namespace

std::optional<Allocation> LeastCost::place(const FreeGpus& free,
                                           const PlacementRequest& request) const {
  if (free.by_node().total() < request.gang) return std::nullopt;
  std::optional<Candidate> best;
  const auto consider = [&](Candidate candidate) {
    if (!best || candidate.key() < best->key()) best = std::move(candidate);
  };
  for (const NodeId node : nodes_with(free, request.gang)) {
    consider({{{node, request.gang}}, free.reluctance(node, request.gang)});
  }
  if (!best) {
    const std::vector<NodeId> nodes = nodes_with(free, 1);
    for (const NodeId first : seeds(free, nodes, request.gang)) {
      consider(filled_from(free, nodes, first, request.gang));
    }
  }
  return allocation_on(free, best->shares);
}

}  // namespace mimus::scheduler
