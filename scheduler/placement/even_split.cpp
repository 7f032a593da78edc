// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/even_split.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {

std::optional<Allocation> EvenSplit::place(const FreeGpus& free,
                                           const PlacementRequest& request) const {
  if (free.by_node().total() < request.gang) return std::nullopt;
  const auto offers = emptiest_nodes(free.by_node(), static_cast<std::size_t>(request.gang));
  std::vector<NodeShare> fewest;
  for (int left = request.gang; left > 0; left -= fewest.back().gpus) {
    fewest.push_back(offers[fewest.size()]);
  }
  return allocation_on(free, split_evenly(fewest, request.gang));
}

}  // namespace mimus::scheduler
