// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// How far a gang's required locality has been relaxed: PlacementRequest::level.
enum LocalityLevel : int {
  kTightest = 0,  ///< as Strict
  kOneRack = 1,   ///< any nodes of one rack
  kAnywhere = 2,
};

/// Places a gang at the level of locality in its request. Waiting jobs request the tightest level
/// unless their planner relaxes it.
class Levelled : public Placement {
 public:
  /// `spreads`: gangs that fit into one node go to the emptiest one, so that they share nodes as
  /// little as possible; otherwise to the one that they fill best.
  explicit Levelled(bool spreads = false) : spreads_(spreads) {}

  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const final;

 private:
  bool spreads_;
};

}  // namespace mimus::scheduler
