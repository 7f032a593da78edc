// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "scheduler/placement/nodes/node_score.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// Waits for a node that takes the whole gang, its cores and memory. Of all such nodes, of all GPU
/// types that the job may use, it takes the one with the highest score. Ties are broken by an order
/// of the nodes that is drawn once per run: with an order drawn for each gang, FGD allocates five
/// points less. A gang larger than any node takes idle GPUs of few nodes.
class BestNode final : public Placement {
 public:
  using MakeScore = std::function<std::unique_ptr<const NodeScore>(const ClusterShape&)>;

  BestNode(MakeScore make_score, std::uint64_t seed, KindTraits traits = {})
      : make_score_(std::move(make_score)), seed_(seed), traits_(traits) {}

  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] KindTraits kind_traits() const override { return traits_; }
  [[nodiscard]] std::unique_ptr<NodePlacer> placer(const Cluster& cluster,
                                                   const Sharing& sharing) const override;
  [[nodiscard]] bool places_hosts() const override { return true; }

 private:
  MakeScore make_score_;
  std::uint64_t seed_;
  KindTraits traits_;
};

/// Parameters of `fgd`.
struct GradientSettings {
  double popularity = 0.95;
};

/// FGD on the mix of requests that `mix` knows; null: none is known, and every node is as good.
[[nodiscard]] std::unique_ptr<Placement> fragmentation_gradient(GradientSettings settings,
                                                                RequestMix mix, std::uint64_t seed);
/// One whose score is made from the cluster's shape, or from nothing.
template <class Score>
[[nodiscard]] std::unique_ptr<Placement> best_node(std::uint64_t seed, KindTraits traits = {}) {
  return std::make_unique<BestNode>(
      [](const ClusterShape& shape) -> std::unique_ptr<const NodeScore> {
        if constexpr (std::is_constructible_v<Score, const ClusterShape&>) {
          return std::make_unique<Score>(shape);
        } else {
          return std::make_unique<Score>();
        }
      },
      seed, traits);
}

}  // namespace mimus::scheduler
