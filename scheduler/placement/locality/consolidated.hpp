// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// A gang that fits into one node waits for one, the best fitting; a larger one waits for as many
/// empty nodes as it fills and one more node for the rest, the one with the most free GPUs. Source:
/// the public simulator of Helios (Hu et al., SC'21), ConsolidatePlacement.
class Consolidated final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
};

}  // namespace mimus::scheduler
