// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/pack.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {
namespace {

/// At most `most` nodes, all in the fullest rack that allows it. Empty if no rack does.
std::vector<NodeShare> in_one_rack(const NodeIndex& free, int gang, std::size_t most) {
  const auto racks = racks_by_free(free);
  for (auto rack = racks.rbegin(); rack != racks.rend(); ++rack) {
    if (free.in_rack(*rack) < gang) continue;
    auto shares = fewest_nodes(free, gang, free.nodes_of(*rack));
    if (shares.size() == most) return shares;
  }
  return {};
}

}  // namespace

std::optional<Allocation> Pack::place(const FreeGpus& free, const PlacementRequest& request) const {
  const NodeIndex& index = free.by_node();
  auto shares = fewest_nodes(index, request.gang, index.all_nodes());
  if (shares.size() > 1 && index.racks() > 1) {
    auto near = in_one_rack(index, request.gang, shares.size());
    if (!near.empty()) shares = std::move(near);
  }
  return allocation_on(free, shares);
}

}  // namespace mimus::scheduler
