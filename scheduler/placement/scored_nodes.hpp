// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// Waits for a node that takes the whole gang. Of all such nodes it takes the one with the lowest
/// score, then with the most usable GPUs, then the lowest number. A gang that is larger than a node
/// takes the fewest nodes, as `pack`. Costs the nodes that fit.
class ScoredNodes : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const final;

 protected:
  /// How badly a job of this kind suits the node. `kind` is of the traits that kind_traits() names,
  /// and not null.
  [[nodiscard]] virtual int score(const JobKind& kind, const FreeGpus& free, NodeId node) const = 0;
};

}  // namespace mimus::scheduler
