// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/scored_nodes.hpp"

#include <tuple>

#include "base/error.hpp"
#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {

std::optional<Allocation> ScoredNodes::place(const FreeGpus& free,
                                             const PlacementRequest& request) const {
  const NodeIndex& index = free.by_node();
  if (request.gang > free.per_node()) {
    return allocation_on(free, fewest_nodes(index, request.gang, index.all_nodes()));
  }
  ensure(request.kind != nullptr, "a placement that scores kinds is not told the job's");
  std::optional<std::tuple<int, int, NodeId>> best;
  const int most = index.most_per_node();
  for (int count = index.lowest(request.gang); count <= most; count = index.lowest(count + 1)) {
    NodeRange rest = index.all_nodes();
    for (NodeId node; (node = index.first_with(count, rest));) {
      const std::tuple candidate{score(*request.kind, free, node), -count, node};
      if (!best || candidate < *best) best = candidate;
      rest.begin = static_cast<int>(node.value()) + 1;
    }
  }
  if (!best) return std::nullopt;
  return allocation_on(free, {{std::get<NodeId>(*best), request.gang}});
}

}  // namespace mimus::scheduler
