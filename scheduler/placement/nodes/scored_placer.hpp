// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "scheduler/placement/nodes/kept_scores.hpp"
#include "scheduler/placement/nodes/node_placer.hpp"
#include "scheduler/placement/nodes/node_score.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// Places a gang on the node with the highest score, ties by one order of the nodes, which is drawn
/// once unless the score uses their own. A gang that is larger than any node of a type takes as few
/// nodes of that type as possible, and only idle GPUs of them.
///
/// What one question costs grows like log n with the nodes, see KeptScores.
class ScoredPlacer final : public NodePlacer {
 public:
  /// Cluster and sharing must outlive it.
  ScoredPlacer(const Cluster& cluster, const Sharing& sharing,
               std::unique_ptr<const NodeScore> score, std::uint64_t seed);

  [[nodiscard]] std::optional<Allocation> find(const PlacementRequest& request) override;

 private:
  using Score = PlaceScores::Score;

  void see_changes();
  void see(NodeId node);
  [[nodiscard]] Score score_of(const PlacementRequest& request, NodeId node) const;
  [[nodiscard]] const NodeView& view(NodeId node) const { return views_[node.index()]; }
  [[nodiscard]] GpuMask candidates(const PlacementRequest& request, const NodeView& node) const;
  [[nodiscard]] std::optional<NodeQuestion> question(const PlacementRequest& request,
                                                     NodeId node) const;
  [[nodiscard]] std::optional<Allocation> drawn(const PlacementRequest& request,
                                                const PlaceScores& scores) const;
  [[nodiscard]] Allocation allocation(const PlacementRequest& request, NodeId node,
                                      GpuMask gpus) const;
  void append(const NodeView& node, GpuMask gpus, Allocation& out) const;
  [[nodiscard]] bool is_wider_than_nodes(const PlacementRequest& request) const;
  [[nodiscard]] GpuMask idle_gpus(const PlacementRequest& request, const NodeView& node) const;
  [[nodiscard]] std::optional<Allocation> over_nodes(const PlacementRequest& request);
  [[nodiscard]] std::optional<Allocation> over_nodes(const PlacementRequest& request, int type);

  const Cluster& cluster_;
  const Sharing& sharing_;
  std::unique_ptr<const NodeScore> score_;
  std::uint64_t seed_;
  std::vector<NodeId> order_;  ///< of ties
  std::vector<int> place_;     ///< [node] in that order
  std::vector<NodeView> views_;
  std::uint64_t views_seen_ = 0;  ///< changes of the cluster
  NodeHistory history_;
  KeptScores offers_;  ///< of single nodes, by NodeScore
  KeptScores rooms_;   ///< replicas that nodes take of gangs wider than nodes, for each type
};

}  // namespace mimus::scheduler
