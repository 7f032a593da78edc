// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// GPUs are interchangeable: any free ones, from the lowest-numbered nodes. The rule of simulators
/// that only count GPUs ("count" in the one of Tiresias, Gu et al., NSDI'19).
class Counting final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }
};

}  // namespace mimus::scheduler
