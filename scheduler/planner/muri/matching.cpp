// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/muri/matching.hpp"

#include "scheduler/planner/muri/blossoms.hpp"

namespace mimus::scheduler {

std::vector<std::optional<std::size_t>> maximum_weight_matching(const EdgeWeights& weights) {
  Blossoms blossoms(weights);
  while (blossoms.grow()) {
  }
  std::vector<std::optional<std::size_t>> mates(weights.vertices());
  for (std::size_t i = 0; i < mates.size(); ++i) {
    if (const std::size_t mate = blossoms.mate(i + 1); mate != 0) mates[i] = mate - 1;
  }
  return mates;
}

}  // namespace mimus::scheduler
