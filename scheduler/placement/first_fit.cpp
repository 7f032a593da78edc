// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/first_fit.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {

std::optional<Allocation> FirstFit::place(const FreeGpus& free,
                                          const PlacementRequest& request) const {
  const NodeIndex& index = free.by_node();
  const NodeId node = first_with_at_least(index, request.gang, index.all_nodes());
  if (node) return allocation_on(free, {{node, request.gang}});
  return allocation_on(free, lowest_nodes(index, request.gang));
}

}  // namespace mimus::scheduler
