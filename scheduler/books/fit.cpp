// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/fit.hpp"

#include <algorithm>

namespace mimus::scheduler {

int Fit::open_gpus() const {
  const int below = cluster_.gpus_below(max_tenants_);
  return divides() ? std::min(below, cluster_.shared().gpus_with_share()) : below;
}

bool Fit::has_capacity(const PlacementRequest& request) const {
  if (open_gpus() < request.gang) return false;
  return !divides() || cluster_.shared().free_share() >= request.gang * request.share;
}

ReplicaNeed Fit::need_of(const PlacementRequest& request, MilliGpus share) const {
  return {request.memory, share, sharing_knows_kinds_ ? request.kind : nullptr};
}

std::optional<Allocation> Fit::find(const PlacementRequest& request) const {
  if (open_gpus() < request.gang) return std::nullopt;
  for (const Tier tier : sharing_.tiers(request.gang, request.share)) {
    auto found = tier == Tier::tightest ? find_tightest(request)
                                        : find_in({tier, need_of(request, request.share)}, request);
    if (!found) continue;
    found->share = request.share;
    return found;
  }
  return std::nullopt;
}

std::optional<Allocation> Fit::find_in(const GpuFilter& filter,
                                       const PlacementRequest& request) const {
  const NodeIndex& by_node =
      filter.tier == Tier::idle ? cluster_.free_gpus() : sets_.by_node(filter);
  if (by_node.total() < request.gang) return std::nullopt;
  return placement_.place(FreeGpus(cluster_, sharing_, filter, by_node), request);
}

std::optional<Allocation> Fit::find_tightest(const PlacementRequest& request) const {
  const SharedGpus& shared = cluster_.shared();
  for (auto left = shared.level_from(request.share); left;
       left = shared.level_from(*left + MilliGpus{1})) {
    auto found = find_in({Tier::tightest, need_of(request, *left)}, request);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace mimus::scheduler
