// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/best_node.hpp"

#include "base/error.hpp"
#include "scheduler/placement/nodes/fragmentation_gradient.hpp"
#include "scheduler/placement/nodes/scored_placer.hpp"

namespace mimus::scheduler {

std::optional<Allocation> BestNode::place(const FreeGpus&, const PlacementRequest&) const {
  ensure(false, "a placement that looks at whole nodes is offered a set of GPUs");
  return std::nullopt;
}

std::unique_ptr<NodePlacer> BestNode::placer(const Cluster& cluster, const Sharing& sharing) const {
  return std::make_unique<ScoredPlacer>(cluster, sharing, make_score_(cluster.shape()), seed_);
}

std::unique_ptr<Placement> fragmentation_gradient(GradientSettings settings, RequestMix mix,
                                                  std::uint64_t seed) {
  return std::make_unique<BestNode>(
      [settings, mix = std::move(mix)](const ClusterShape& shape) {
        auto requests = mix ? mix() : std::vector<RequestCount>{};
        return std::make_unique<FragmentationGradient>(
            Fragmentation(std::move(requests), settings.popularity, shape));
      },
      seed);
}

}  // namespace mimus::scheduler
