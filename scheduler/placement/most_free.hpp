// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// Nodes with the most usable GPUs first, ties by number, each as far as the gang goes: the greedy
/// rule of Tiresias and Optimus in the simulator of Pollux (Qiao et al., OSDI'21). Replicas are
/// ranked in the order in which the nodes were taken.
class MostFree final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }
};

}  // namespace mimus::scheduler
