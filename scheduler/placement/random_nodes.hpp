// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// Free GPUs drawn at random, all equally likely. The draw is a function of the seed, of what is
/// free and of the request, so that asking twice, e.g. what if, changes nothing, while two starts
/// that meet the same free GPUs draw independently (PlacementRequest::draw).
class RandomNodes final : public Placement {
 public:
  explicit RandomNodes(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }

 private:
  std::uint64_t seed_;
};

}  // namespace mimus::scheduler
