// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// The fewest nodes, then one rack rather than several, then the best fit.
class Pack final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }
};

}  // namespace mimus::scheduler
