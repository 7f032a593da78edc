// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "scheduler/placement/nodes/node_placer.hpp"
#include "scheduler/placement/nodes/node_score.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// Places a gang on the node with the highest score, ties by one order of the nodes, which is drawn
/// once unless the score uses their own. A gang that is larger than any node of a type takes as few
/// nodes of that type as possible, and only idle GPUs of them.
///
/// Scores are kept for every recently used request. A repeated question costs the nodes that have
/// changed since, and a pass over a number per node.
class ScoredPlacer final : public NodePlacer {
 public:
  /// Cluster and sharing must outlive it.
  ScoredPlacer(const Cluster& cluster, const Sharing& sharing,
               std::unique_ptr<const NodeScore> score, std::uint64_t seed);

  [[nodiscard]] std::optional<Allocation> find(const PlacementRequest& request) override;

 private:
  using Score = std::int16_t;
  static constexpr Score kDoesNotFit = kNoOffer;

  struct Asked {
    PlacementRequest request;  ///< without its draw
    bool operator==(const Asked& other) const;
  };
  struct AskedHash {
    [[nodiscard]] std::size_t operator()(const Asked& asked) const noexcept;
  };
  struct Scores {
    std::vector<Score> by_place;  ///< in the order of ties
    std::uint64_t seen = 0;       ///< changes of the cluster
  };

  void see_changes();
  void see(NodeId node);
  [[nodiscard]] const std::vector<Score>& scores_of(const PlacementRequest& request);
  void fill(const PlacementRequest& request, Scores& scores) const;
  void catch_up(const PlacementRequest& request, Scores& scores);
  void score(const PlacementRequest& request, NodeId node, Scores& scores) const;
  [[nodiscard]] const NodeView& view(NodeId node) const { return views_[node.index()]; }
  [[nodiscard]] GpuMask candidates(const PlacementRequest& request, const NodeView& node) const;
  [[nodiscard]] std::optional<NodeQuestion> question(const PlacementRequest& request,
                                                     NodeId node) const;
  [[nodiscard]] NodeId best(const std::vector<Score>& scores) const;
  [[nodiscard]] std::optional<Allocation> drawn(const PlacementRequest& request,
                                                const std::vector<Score>& scores) const;
  [[nodiscard]] Allocation allocation(const PlacementRequest& request, NodeId node,
                                      GpuMask gpus) const;
  void append(const NodeView& node, GpuMask gpus, Allocation& out) const;
  [[nodiscard]] bool is_wider_than_nodes(const PlacementRequest& request) const;
  [[nodiscard]] std::optional<Allocation> over_nodes(const PlacementRequest& request) const;
  [[nodiscard]] std::optional<Allocation> over_nodes(const PlacementRequest& request,
                                                     int type) const;

  const Cluster& cluster_;
  const Sharing& sharing_;
  std::unique_ptr<const NodeScore> score_;
  std::uint64_t seed_;
  std::vector<NodeId> order_;  ///< of ties
  std::vector<int> place_;     ///< [node] in that order
  std::vector<NodeView> views_;
  std::uint64_t views_seen_ = 0;          ///< changes of the cluster
  std::vector<std::uint64_t> looked_at_;  ///< [node] the last catching up that did
  std::uint64_t catches_ = 0;
  std::unordered_map<Asked, Scores, AskedHash> scores_;
};

}  // namespace mimus::scheduler
