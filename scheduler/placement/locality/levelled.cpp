// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/locality/levelled.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {
namespace {

std::vector<NodeShare> in_one_rack(const NodeIndex& free, int gang) {
  for (const RackId rack : racks_by_free(free)) {
    if (free.in_rack(rack) < gang) break;
    return fewest_nodes(free, gang, free.nodes_of(rack));
  }
  return {};
}

/// All of the gang on the node with the most usable GPUs.
std::vector<NodeShare> on_emptiest_node(const FreeGpus& free, int gang) {
  const NodeIndex& index = free.by_node();
  const int most = index.highest(index.most_per_node());
  if (most < gang) return {};
  return {{index.first_with(most, index.all_nodes()), gang}};
}

}  // namespace

std::optional<Allocation> Levelled::place(const FreeGpus& free,
                                          const PlacementRequest& request) const {
  auto shares = spreads_ ? on_emptiest_node(free, request.gang) : std::vector<NodeShare>{};
  if (shares.empty()) shares = tightest_nodes(free, request.gang);
  if (shares.empty() && request.level >= kOneRack) {
    shares = in_one_rack(free.by_node(), request.gang);
  }
  if (shares.empty() && request.level >= kAnywhere) {
    shares = fewest_nodes(free.by_node(), request.gang, free.by_node().all_nodes());
  }
  return allocation_on(free, shares);
}

}  // namespace mimus::scheduler
