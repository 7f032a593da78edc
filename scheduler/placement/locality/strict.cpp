// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/locality/strict.hpp"

#include "scheduler/placement/node_choice.hpp"

namespace mimus::scheduler {

std::optional<Allocation> Strict::place(const FreeGpus& free,
                                        const PlacementRequest& request) const {
  return allocation_on(free, tightest_nodes(free, request.gang));
}

}  // namespace mimus::scheduler
