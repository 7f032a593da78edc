// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/alternatives/alternatives_placer.hpp"

#include "scheduler/placement/nodes/least_loaded.hpp"

namespace mimus::scheduler {

AlternativesPlacer::AlternativesPlacer(const Cluster& cluster, const Sharing& sharing,
                                       const AlternativeLists& lists)
    : cluster_(cluster),
      alternatives_(lists, cluster.shape(), nullptr),
      nodes_(cluster, sharing,
             std::make_unique<LeastLoaded>(cluster.shape(), LeastLoaded::Parts::tightest), 0) {}

GpuTypes AlternativesPlacer::idle_enough(GpuTypes types, double above) const {
  if (above == 0.0) return types;
  GpuTypes enough = 0;
  for (int type = 0; type < cluster_.shape().types(); ++type) {
    const double least = above * cluster_.shape().gpus_of_type(type);
    if (has_type(types, type) && cluster_.free_gpus(type).total() > least)
      enough |= only_type(type);
  }
  return enough;
}

std::optional<Allocation> AlternativesPlacer::find_on(const PlacementRequest& request,
                                                      GpuTypes types,
                                                      const Alternative& alternative) {
  PlacementRequest asked = request;
  asked.types = idle_enough(types, alternative.idle_above);
  if (asked.types == 0) return std::nullopt;
  asked.level = alternative.within == Alternative::Within::island ? LeastLoaded::kOneIsland
                                                                  : LeastLoaded::kAnyIslands;
  if (alternative.alone) asked.share = kWholeGpu;
  return nodes_.find(asked);
}

std::optional<Allocation> AlternativesPlacer::find(const PlacementRequest& request) {
  const JobAlternatives::Tried tried = alternatives_.tried_at(request.level);
  GpuTypes named = 0;
  for (const Alternative& alternative : tried.alternatives) {
    named |= alternatives_.types_named(alternative.types);
    const GpuTypes types = alternatives_.types_of(alternative, request.gang, request.types);
    if (auto found = find_on(request, types, alternative)) return found;
  }
  return tried.is_last ? find_on(request, request.types & ~named, {}) : std::nullopt;
}

}  // namespace mimus::scheduler
