// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/locality/consolidated.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {
namespace {

/// The best-fitting node for a gang that is smaller than a node.
NodeId least_free(const NodeIndex& index, int gpus, int per_node) {
  NodeId node;
  for (int count = gpus; !node && count <= per_node; ++count) {
    node = index.first_with(count, index.all_nodes());
  }
  return node;
}

/// The node for the rest of a larger gang: the one with the most free GPUs among those that are
/// left. `empty` excludes the empty nodes that were taken.
NodeId most_free(const NodeIndex& index, int gpus, int per_node, NodeRange empty) {
  NodeId node;
  for (int count = per_node; !node && count >= gpus; --count) {
    node = index.first_with(count, count == per_node ? empty : index.all_nodes());
  }
  return node;
}

}  // namespace

std::optional<Allocation> Consolidated::place(const FreeGpus& free,
                                              const PlacementRequest& request) const {
  const NodeIndex& index = free.by_node();
  const int per_node = free.per_node();
  std::vector<NodeShare> shares;
  NodeRange empty = index.all_nodes();
  for (int i = 0; i < request.gang / per_node; ++i) {
    const NodeId node = index.first_with(per_node, empty);
    if (!node) return std::nullopt;
    shares.push_back({node, per_node});
    empty.begin = static_cast<int>(node.value()) + 1;
  }
  if (const int rest = request.gang % per_node; rest > 0) {
    const NodeId node = shares.empty() ? least_free(index, rest, per_node)
                                       : most_free(index, rest, per_node, empty);
    if (!node) return std::nullopt;
    shares.push_back({node, rest});
  }
  return allocation_on(free, shares);
}

}  // namespace mimus::scheduler
