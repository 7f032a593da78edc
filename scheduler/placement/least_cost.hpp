// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// The fewest nodes, and among these the ones whose GPUs have the least reluctance of the sharing
/// choice in total (Horus, Yeung et al., TPDS 33(1), 2022: the GPUs with the least cost on the
/// least number of nodes). A gang that fits into one node goes to the node with the least sum, ties
/// to the lower number. Larger gangs are tried from as many first nodes as the gang has GPUs, those
/// with the GPU of least cost: each is filled, then the nodes of its rack and of the racks next to
/// it, those with the most usable GPUs first. Costs all nodes with usable GPUs. Source of the
/// search: the authors' simulator (matthewygf/GPUSchedule, core/scheduling/ algorithm.py).
class LeastCost final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }
};

}  // namespace mimus::scheduler
