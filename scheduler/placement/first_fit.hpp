// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// The lowest-numbered node that takes the whole gang; when none does, the free GPUs of the
/// lowest-numbered nodes.
class FirstFit final : public Placement {
 public:
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }
};

}  // namespace mimus::scheduler
