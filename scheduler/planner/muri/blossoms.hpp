// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "scheduler/planner/muri/matching.hpp"

namespace mimus::scheduler {

/// The state of a search for a maximum-weight matching. Its nodes are the vertices, from 1 on, and
/// the blossoms above them: odd circles of nodes that are shrunk to one. Node 0 means none.
class Blossoms {
 public:
  explicit Blossoms(const EdgeWeights& weights);

  /// Finds and applies one more augmenting path. False once the matching has maximum weight.
  [[nodiscard]] bool grow();
  /// The vertex that `vertex` is matched with, or 0.
  [[nodiscard]] std::size_t mate(std::size_t vertex) const { return mate_[vertex]; }

 private:
  using Node = std::size_t;
  enum class Mark { none, outer, inner };
  /// An edge between two vertices; for a blossom, the vertices inside it at which the edge ends.
  struct Edge {
    Node from = 0;
    Node to = 0;
    std::int64_t weight = 0;
  };

  [[nodiscard]] Edge& edge(Node a, Node b) { return edges_[a * stride_ + b]; }
  [[nodiscard]] Node& part(Node blossom, Node vertex) { return parts_[blossom * stride_ + vertex]; }
  [[nodiscard]] bool is_vertex(Node node) const { return node <= vertices_; }
  [[nodiscard]] bool is_top(Node node) const { return top_[node] == node; }
  /// Twice the amount by which the duals of its ends exceed the edge's weight.
  [[nodiscard]] std::int64_t slack(const Edge& e);

  void plant_trees();
  [[nodiscard]] bool search();
  [[nodiscard]] bool scan(Node vertex);
  [[nodiscard]] std::int64_t next_change();
  [[nodiscard]] bool change_duals(std::int64_t by);
  [[nodiscard]] bool use_new_tight_edges();
  void expand_used_up();

  void queue(Node node);
  void note_nearest(Node outer_vertex, Node node);
  void find_nearest(Node node);
  void set_top(Node node, Node top);
  [[nodiscard]] bool take_tight(const Edge& e);
  void augment(Node from, Node to);
  void match(Node from, Node to);
  [[nodiscard]] std::size_t even_way_to(Node blossom, Node child);
  [[nodiscard]] Node common_ancestor(Node a, Node b);
  void shrink(Node a, Node ancestor, Node b);
  void collect_branch(Node from, Node ancestor, std::vector<Node>& children);
  void join_edges(Node blossom);
  void expand(Node blossom);

  std::size_t vertices_;
  std::size_t stride_;
  Node last_;  ///< of the nodes that have been used
  std::vector<Edge> edges_;
  std::vector<Node> parts_;         ///< child of the blossom that the vertex is in, or 0
  std::vector<std::int64_t> dual_;  ///< of vertices doubled
  std::vector<Node> mate_;          ///< vertex at the other end of the matched edge
  std::vector<Node> nearest_;       ///< outer vertex with the least slack to the node, or 0
  std::vector<Node> top_;           ///< outermost blossom that the node is in; 0: unused
  std::vector<Node> parent_;        ///< vertex at the other end of the tree's edge
  std::vector<Mark> mark_;
  std::vector<int> visited_;
  std::vector<std::vector<Node>> children_;  ///< in the order of the circle, the base first
  std::deque<Node> queue_;
  int visit_ = 0;
};

}  // namespace mimus::scheduler
