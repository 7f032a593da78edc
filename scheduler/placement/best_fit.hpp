// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// Fills the fullest nodes first, ties by number, on however many nodes that takes: keeps empty
/// nodes empty at the price of locality.
class BestFit final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }
};

}  // namespace mimus::scheduler
