// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// Waits for the best locality the inventory allows: one node when the gang fits into one, else
/// the least number of nodes in one rack (Philly's first locality level, Jeon et al., ATC'19).
class Strict final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
};

}  // namespace mimus::scheduler
