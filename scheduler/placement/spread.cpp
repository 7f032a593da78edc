// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/spread.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {

std::optional<Allocation> Spread::place(const FreeGpus& free,
                                        const PlacementRequest& request) const {
  if (free.by_node().total() < request.gang) return std::nullopt;
  const auto nodes = emptiest_nodes(free.by_node(), static_cast<std::size_t>(request.gang));
  return allocation_on(free, split_evenly(nodes, request.gang));
}

}  // namespace mimus::scheduler
