// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/most_free.hpp"

#include <algorithm>

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {

std::optional<Allocation> MostFree::place(const FreeGpus& free,
                                          const PlacementRequest& request) const {
  const NodeIndex& index = free.by_node();
  if (index.total() < request.gang) return std::nullopt;
  std::vector<NodeShare> shares;
  int left = request.gang;
  for (int count = index.most_per_node(); left > 0 && count > 0; --count) {
    NodeRange rest = index.all_nodes();
    for (NodeId node; left > 0 && (node = index.first_with(count, rest));) {
      shares.push_back({node, std::min(count, left)});
      left -= count;
      rest.begin = static_cast<int>(node.value()) + 1;
    }
  }
  return allocation_in_order(free, shares);
}

}  // namespace mimus::scheduler
