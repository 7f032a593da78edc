// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/fit.hpp"

#include <algorithm>

namespace mimus::scheduler {

int Fit::open_gpus() const {
  const int below = cluster_.gpus_below(max_tenants_);
  return divides() ? std::min(below, cluster_.shared().gpus_with_share()) : below;
}

bool Fit::has_open(int type, int gpus) const {
  return cluster_.gpus_below(max_tenants_, type) >= gpus;
}

bool Fit::has_capacity(const PlacementRequest& request) const {
  if (open_gpus() < request.gang) return false;
  if (request.host.any() && !request.host.within(cluster_.free_hosts())) return false;
  const MilliGpus asked = request.gang * request.share;
  if (divides() && cluster_.shared().free_share() < asked) return false;
  if (types_ == 1) return true;
  for (int type = 0; type < types_; ++type) {
    if (!has_type(request.types, type) || !has_open(type, request.gang)) continue;
    if (!divides() || cluster_.shared().free_share(type) >= asked) return true;
  }
  return false;
}

ReplicaNeed Fit::need_of(const PlacementRequest& request, MilliGpus share) const {
  return {request.memory, share, sharing_knows_kinds_ ? request.kind : nullptr};
}

std::optional<Allocation> Fit::find(const PlacementRequest& request) const {
  if (open_gpus() < request.gang) return std::nullopt;
  if (placer_) return placer_->find(request);
  for (const Tier tier : sharing_.tiers(request.gang, request.share)) {
    if (types_ == 1) {
      if (auto found = find_in_tier(tier, request, kAnyType)) return found;
      continue;
    }
    for (int type = 0; type < types_; ++type) {
      if (!has_type(request.types, type) || !has_open(type, request.gang)) continue;
      if (auto found = find_in_tier(tier, request, type)) return found;
    }
  }
  return std::nullopt;
}

std::optional<Allocation> Fit::find_again(const PlacementRequest& request,
                                          const Allocation& place) const {
  if (place.slots.empty() || !cluster_.has_hosts_for(place)) return std::nullopt;
  const auto tiers = sharing_.tiers(request.gang, request.share);
  const bool idle_only = std::all_of(tiers.begin(), tiers.end(), [](Tier tier) {
    return tier == Tier::idle || tier == Tier::partner;  // find() searches for partners
  });
  const GpuFilter filter{idle_only ? Tier::idle : Tier::any, need_of(request, request.share),
                         kAnyType};
  Allocation again = place;
  for (Slot& slot : again.slots) {
    const GpuState& gpu = cluster_.gpu(slot.gpu);
    if (!has_type(request.types, cluster_.shape().type_of(gpu.node))) return std::nullopt;
    if (!filter.passes(cluster_, sharing_, gpu)) return std::nullopt;
    slot.lane = cluster_.free_lane(slot.gpu);
  }
  return again;
}

std::optional<Allocation> Fit::find_in_tier(Tier tier, const PlacementRequest& request,
                                            int type) const {
  auto found = tier == Tier::tightest ? find_tightest(request, type)
               : tier == Tier::partner
                   ? find_partner(request, type)
                   : find_in({tier, need_of(request, request.share), type}, request);
  if (found) found->share = request.share;
  return found;
}

std::optional<Allocation> Fit::find_in(const GpuFilter& filter,
                                       const PlacementRequest& request) const {
  const NodeIndex& by_node =
      filter.tier == Tier::idle ? cluster_.free_gpus(filter.type) : sets_.by_node(filter);
  if (by_node.total() < request.gang) return std::nullopt;
  return placement_.place(FreeGpus(cluster_, sharing_, filter, by_node), request);
}

std::optional<Allocation> Fit::find_tightest(const PlacementRequest& request, int type) const {
  const SharedGpus& shared = cluster_.shared();
  for (auto left = shared.level_from(request.share); left;
       left = shared.level_from(*left + MilliGpus{1})) {
    auto found = find_in({Tier::tightest, need_of(request, *left), type}, request);
    if (found) return found;
  }
  return std::nullopt;
}

const Allocation* Fit::partner_on(GpuId gpu, const GpuBitmap& members, int gang) const {
  const auto& tenants = cluster_.gpu(gpu).tenants;
  if (tenants.size() != 1) return nullptr;
  const Allocation& held = cluster_.holding(tenants.front().attempt).allocation;
  if (static_cast<int>(held.slots.size()) != gang || held.slots.front().gpu != gpu) return nullptr;
  const NodeId node = cluster_.shape().node_of(gpu);
  const bool together = std::all_of(held.slots.begin(), held.slots.end(), [&](const Slot& slot) {
    return members.contains(slot.gpu) && cluster_.shape().node_of(slot.gpu) == node;
  });
  return together ? &held : nullptr;
}

// The placement choice is not asked, because the job must go where the partner is.
std::optional<Allocation> Fit::find_partner(const PlacementRequest& request, int type) const {
  const ReplicaNeed need = need_of(request, request.share);
  const GpuBitmap& members = sets_.members({Tier::partner, need, type});
  const std::int64_t end = cluster_.shape().gpus();
  const Allocation* best = nullptr;
  std::int64_t least = 0;
  for (GpuId gpu = members.first(0, end); gpu; gpu = members.first(gpu.value() + 1, end)) {
    const Allocation* partner = partner_on(gpu, members, request.gang);
    if (partner == nullptr) continue;
    const std::int64_t reluctance =
        sharing_.reluctance(cluster_.gpu(gpu), need, cluster_.shape().memory_of(gpu));
    if (best != nullptr && reluctance >= least) continue;
    best = partner;
    least = reluctance;
  }
  if (best == nullptr) return std::nullopt;
  Allocation found;
  for (const Slot& slot : best->slots) {
    found.slots.push_back({slot.gpu, cluster_.free_lane(slot.gpu)});
  }
  return found;
}

}  // namespace mimus::scheduler
