// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/counting.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {

std::optional<Allocation> Counting::place(const FreeGpus& free,
                                          const PlacementRequest& request) const {
  return allocation_on(free, lowest_nodes(free.by_node(), request.gang));
}

}  // namespace mimus::scheduler
