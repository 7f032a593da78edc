// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/muri/blossoms.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mimus::scheduler {

Blossoms::Blossoms(const EdgeWeights& weights)
    : vertices_(weights.vertices()),
      stride_(vertices_ + vertices_ / 2 + 2),
      last_(vertices_),
      edges_(stride_ * stride_),
      parts_(stride_ * stride_, 0),
      dual_(stride_, 0),
      mate_(stride_, 0),
      nearest_(stride_, 0),
      top_(stride_, 0),
      parent_(stride_, 0),
      mark_(stride_, Mark::none),
      visited_(stride_, 0),
      children_(stride_) {
  std::int64_t largest = 0;
  for (Node a = 1; a <= vertices_; ++a) {
    top_[a] = part(a, a) = a;
    for (Node b = 1; b <= vertices_; ++b) {
      edge(a, b) = {a, b, weights.at(a - 1, b - 1)};
      largest = std::max(largest, edge(a, b).weight);
    }
  }
  std::fill_n(dual_.begin() + 1, vertices_, largest);
}

std::int64_t Blossoms::slack(const Edge& e) {
  return dual_[e.from] + dual_[e.to] - 2 * edge(e.from, e.to).weight;
}

bool Blossoms::grow() {
  plant_trees();
  return !queue_.empty() && search();
}

/// Every node without a partner becomes the root of a tree.
void Blossoms::plant_trees() {
  std::ranges::fill(mark_, Mark::none);
  std::ranges::fill(nearest_, Node{0});
  queue_.clear();
  for (Node node = 1; node <= last_; ++node) {
    if (!is_top(node) || mate_[node] != 0) continue;
    parent_[node] = 0;
    mark_[node] = Mark::outer;
    queue(node);
  }
}

bool Blossoms::search() {
  while (true) {
    while (!queue_.empty()) {
      const Node vertex = queue_.front();
      queue_.pop_front();
      if (mark_[top_[vertex]] != Mark::inner && scan(vertex)) return true;
    }
    if (!change_duals(next_change())) return false;
    if (use_new_tight_edges()) return true;
    expand_used_up();
  }
}

bool Blossoms::scan(Node vertex) {
  for (Node other = 1; other <= vertices_; ++other) {
    const Edge e = edge(vertex, other);
    if (e.weight == 0 || top_[vertex] == top_[other]) continue;
    if (slack(e) != 0) {
      note_nearest(vertex, top_[other]);
    } else if (take_tight(e)) {
      return true;
    }
  }
  return false;
}

/// The least change of duals after which an edge is tight or a blossom's dual is used up.
std::int64_t Blossoms::next_change() {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (Node node = 1; node <= last_; ++node) {
    if (!is_top(node)) continue;
    if (!is_vertex(node) && mark_[node] == Mark::inner) least = std::min(least, dual_[node] / 2);
    if (nearest_[node] == 0 || mark_[node] == Mark::inner) continue;
    const std::int64_t left = slack(edge(nearest_[node], node));
    least = std::min(least, mark_[node] == Mark::outer ? left / 2 : left);
  }
  return least;
}

/// False once the dual of a vertex without a partner is used up: then nothing more is to be gained.
bool Blossoms::change_duals(std::int64_t by) {
  for (Node vertex = 1; vertex <= vertices_; ++vertex) {
    if (mark_[top_[vertex]] == Mark::outer && dual_[vertex] <= by) return false;
  }
  for (Node vertex = 1; vertex <= vertices_; ++vertex) {
    const Mark mark = mark_[top_[vertex]];
    if (mark != Mark::none) dual_[vertex] += mark == Mark::outer ? -by : by;
  }
  for (Node blossom = vertices_ + 1; blossom <= last_; ++blossom) {
    if (!is_top(blossom) || mark_[blossom] == Mark::none) continue;
    dual_[blossom] += mark_[blossom] == Mark::outer ? 2 * by : -2 * by;
  }
  return true;
}

bool Blossoms::use_new_tight_edges() {
  for (Node node = 1; node <= last_; ++node) {
    const Node near = nearest_[node];
    if (!is_top(node) || near == 0 || top_[near] == node) continue;
    const Edge e = edge(near, node);
    if (slack(e) == 0 && take_tight(e)) return true;
  }
  return false;
}

void Blossoms::expand_used_up() {
  for (Node blossom = vertices_ + 1; blossom <= last_; ++blossom) {
    if (is_top(blossom) && mark_[blossom] == Mark::inner && dual_[blossom] == 0) expand(blossom);
  }
}

/// Uses a tight edge from an outer node: the tree grows, or a blossom is shrunk, or two trees meet
/// and an augmenting path is taken; true only then.
bool Blossoms::take_tight(const Edge& e) {
  const Node from = top_[e.from];
  const Node to = top_[e.to];
  if (mark_[to] == Mark::none) {
    parent_[to] = e.from;
    mark_[to] = Mark::inner;
    const Node next = top_[mate_[to]];
    nearest_[to] = nearest_[next] = 0;
    mark_[next] = Mark::outer;
    queue(next);
  } else if (mark_[to] == Mark::outer) {
    const Node ancestor = common_ancestor(from, to);
    if (ancestor == 0) {
      augment(from, to);
      augment(to, from);
      return true;
    }
    shrink(from, ancestor, to);
  }
  return false;
}

void Blossoms::augment(Node from, Node to) {
  while (true) {
    const Node next = top_[mate_[from]];
    match(from, to);
    if (next == 0) return;
    const Node above = top_[parent_[next]];
    match(next, above);
    from = above;
    to = next;
  }
}

}  // namespace mimus::scheduler
