// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// The fewest nodes with enough usable GPUs, those with the most of them first, and the same number
/// of replicas on each, as far as nodes have GPUs: the placement of Optimus (Peng et al.,
/// EuroSys'18, §4.2), which moves the least data between nodes.
class EvenSplit final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }
};

}  // namespace mimus::scheduler
