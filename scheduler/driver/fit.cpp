// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/fit.hpp"

namespace mimus::scheduler {

std::optional<Allocation> Fit::find(const PlacementRequest& request) const {
  if (open_gpus() < request.gang) return std::nullopt;
  for (const Tier tier : sharing_.tiers()) {
    if (tier == Tier::idle && cluster_.free_gpus().total() < request.gang) continue;
    const FreeGpus free(cluster_, sharing_, tier, request.memory);
    if (free.by_node().total() < request.gang) continue;
    if (auto found = placement_.place(free, request)) return found;
  }
  return std::nullopt;
}

}  // namespace mimus::scheduler
