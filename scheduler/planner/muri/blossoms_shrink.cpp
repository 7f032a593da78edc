// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Blossoms are shrunk to one node, matched through and expanded again.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "scheduler/planner/muri/blossoms.hpp"

namespace mimus::scheduler {

void Blossoms::queue(Node node) {
  if (is_vertex(node)) {
    queue_.push_back(node);
    return;
  }
  for (const Node child : children_[node]) queue(child);
}

void Blossoms::note_nearest(Node outer_vertex, Node node) {
  Node& nearest = nearest_[node];
  if (nearest == 0 || slack(edge(outer_vertex, node)) < slack(edge(nearest, node))) {
    nearest = outer_vertex;
  }
}

void Blossoms::find_nearest(Node node) {
  nearest_[node] = 0;
  for (Node vertex = 1; vertex <= vertices_; ++vertex) {
    const bool reaches = edge(vertex, node).weight > 0 && top_[vertex] != node;
    if (reaches && mark_[top_[vertex]] == Mark::outer) note_nearest(vertex, node);
  }
}

void Blossoms::set_top(Node node, Node top) {
  top_[node] = top;
  if (is_vertex(node)) return;
  for (const Node child : children_[node]) set_top(child, top);
}

/// Turns the circle such that the way along it from the base to the child has an even number of
/// edges. Returns that number.
std::size_t Blossoms::even_way_to(Node blossom, Node child) {
  std::vector<Node>& circle = children_[blossom];
  const auto found = std::ranges::find(circle, child);
  const auto way = static_cast<std::size_t>(found - circle.begin());
  if (way % 2 == 0) return way;
  std::reverse(circle.begin() + 1, circle.end());
  return circle.size() - way;
}

/// Matches a node by its edge to another one. Inside a blossom, the vertex at which the edge begins
/// becomes the base, and the children before it are matched with each other.
void Blossoms::match(Node from, Node to) {
  const Edge e = edge(from, to);
  mate_[from] = e.to;
  if (is_vertex(from)) return;
  std::vector<Node>& circle = children_[from];
  const Node child = part(from, e.from);
  const std::size_t way = even_way_to(from, child);
  for (std::size_t i = 0; i < way; ++i) match(circle[i], circle[i ^ 1U]);
  match(child, to);
  std::rotate(circle.begin(), circle.begin() + static_cast<std::ptrdiff_t>(way), circle.end());
}

/// Of two outer nodes in their tree; 0 if they are in different ones.
Blossoms::Node Blossoms::common_ancestor(Node a, Node b) {
  ++visit_;
  for (; a != 0 || b != 0; std::swap(a, b)) {
    if (a == 0) continue;
    if (visited_[a] == visit_) return a;
    visited_[a] = visit_;
    a = top_[mate_[a]];
    if (a != 0) a = top_[parent_[a]];
  }
  return 0;
}

void Blossoms::collect_branch(Node from, Node ancestor, std::vector<Node>& children) {
  for (Node node = from; node != ancestor;) {
    const Node inner = top_[mate_[node]];
    children.push_back(node);
    children.push_back(inner);
    queue(inner);
    node = top_[parent_[inner]];
  }
}

/// Makes one outer node of the circle from the ancestor to `a`, over to `b`, and back.
void Blossoms::shrink(Node a, Node ancestor, Node b) {
  Node blossom = vertices_ + 1;
  while (blossom <= last_ && top_[blossom] != 0) ++blossom;
  ensure(blossom < stride_, "more blossoms than half of the vertices");
  last_ = std::max(last_, blossom);
  dual_[blossom] = 0;
  mark_[blossom] = Mark::outer;
  mate_[blossom] = mate_[ancestor];
  std::vector<Node>& circle = children_[blossom];
  circle.assign(1, ancestor);
  collect_branch(a, ancestor, circle);
  std::reverse(circle.begin() + 1, circle.end());
  collect_branch(b, ancestor, circle);
  set_top(blossom, blossom);
  join_edges(blossom);
  find_nearest(blossom);
}

/// Its edge to every other node is the tightest of those of its children.
void Blossoms::join_edges(Node blossom) {
  for (Node node = 1; node <= last_; ++node) {
    edge(blossom, node).weight = edge(node, blossom).weight = 0;
  }
  for (Node vertex = 1; vertex <= vertices_; ++vertex) part(blossom, vertex) = 0;
  for (const Node child : children_[blossom]) {
    for (Node node = 1; node <= last_; ++node) {
      const Edge own = edge(child, node);
      const Edge best = edge(blossom, node);
      if (best.weight != 0 && slack(own) >= slack(best)) continue;
      edge(blossom, node) = own;
      edge(node, blossom) = edge(node, child);
    }
    for (Node vertex = 1; vertex <= vertices_; ++vertex) {
      if (part(child, vertex) != 0) part(blossom, vertex) = child;
    }
  }
}

/// An inner blossom becomes its children again. Those on the even way from the base to where the
/// tree enters it take its place in the tree.
void Blossoms::expand(Node blossom) {
  for (const Node child : children_[blossom]) set_top(child, child);
  const Node entry = part(blossom, edge(blossom, parent_[blossom]).from);
  const std::size_t way = even_way_to(blossom, entry);
  const std::vector<Node>& circle = children_[blossom];
  for (std::size_t i = 0; i < way; i += 2) {
    const Node inner = circle[i];
    const Node outer = circle[i + 1];
    parent_[inner] = edge(outer, inner).from;
    mark_[inner] = Mark::inner;
    mark_[outer] = Mark::outer;
    nearest_[inner] = 0;
    find_nearest(outer);
    queue(outer);
  }
  mark_[entry] = Mark::inner;
  parent_[entry] = parent_[blossom];
  for (std::size_t i = way + 1; i < circle.size(); ++i) {
    mark_[circle[i]] = Mark::none;
    find_nearest(circle[i]);
  }
  top_[blossom] = 0;
}

}  // namespace mimus::scheduler
