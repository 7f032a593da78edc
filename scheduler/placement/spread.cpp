// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/spread.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {
namespace {

/// The `most` nodes with the most usable GPUs, emptiest first. `gpus` is what each of them offers.
std::vector<NodeShare> emptiest(const NodeIndex& free, std::size_t most) {
  std::vector<NodeShare> nodes;
  for (int level = free.most_per_node(); level > 0; --level) {
    NodeRange rest = free.all_nodes();
    for (NodeId node; nodes.size() < most && (node = free.first_with(level, rest));) {
      nodes.push_back({node, level});
      rest.begin = static_cast<int>(node.value()) + 1;
    }
  }
  return nodes;
}

}  // namespace

std::optional<Allocation> Spread::place(const FreeGpus& free,
                                        const PlacementRequest& request) const {
  if (free.by_node().total() < request.gang) return std::nullopt;
  const auto offers = emptiest(free.by_node(), static_cast<std::size_t>(request.gang));
  std::vector<NodeShare> shares;
  for (const NodeShare& offer : offers) shares.push_back({offer.node, 0});
  for (int left = request.gang; left > 0;) {
    for (std::size_t i = 0; i < offers.size() && left > 0; ++i) {
      if (shares[i].gpus == offers[i].gpus) continue;
      ++shares[i].gpus;
      --left;
    }
  }
  return allocation_on(free, shares);
}

}  // namespace mimus::scheduler
