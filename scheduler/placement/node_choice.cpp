// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/node_choice.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

/// Walks the nodes of a range from the most usable GPUs to the fewest, each once.
class LargestFirst {
 public:
  LargestFirst(const NodeIndex& free, NodeRange range)
      : free_(free), range_(range), level_(free.most_per_node()), rest_(range) {}

  /// The largest node that was not passed yet, or a share without a node if none is left.
  [[nodiscard]] NodeShare peek() {
    for (level_ = free_.highest(level_); level_ > 0;
         level_ = free_.highest(level_ - 1), rest_ = range_) {
      const NodeId node = free_.first_with(level_, rest_);
      if (node) return {node, level_};
    }
    return {};
  }
  void pass(NodeId node) { rest_.begin = static_cast<int>(node.value()) + 1; }

  /// The smallest node that was not passed yet and takes `gpus`, at most as many as the largest
  /// has.
  [[nodiscard]] NodeId best_fit(int gpus) const {
    for (int count = free_.lowest(gpus); count <= level_; count = free_.lowest(count + 1)) {
      const NodeId node = free_.first_with(count, count == level_ ? rest_ : range_);
      if (node) return node;
    }
    return NodeId{};
  }

 private:
  const NodeIndex& free_;
  NodeRange range_;
  int level_;
  NodeRange rest_;  ///< nodes of this level that were not passed yet
};

std::vector<NodeShare> tightest_in_racks(const NodeIndex& free, int gang, std::size_t nodes) {
  for (const RackId rack : racks_by_free(free)) {
    if (free.in_rack(rack) < gang) break;
    auto shares = fewest_nodes(free, gang, free.nodes_of(rack));
    if (shares.size() == nodes) return shares;
  }
  return {};
}

}  // namespace

NodeId best_fit(const NodeIndex& free, int gpus, NodeRange range) {
  const int most = free.most_per_node();
  for (int count = free.lowest(gpus); count <= most; count = free.lowest(count + 1)) {
    const NodeId node = free.first_with(count, range);
    if (node) return node;
  }
  return NodeId{};
}

NodeId first_with_at_least(const NodeIndex& free, int gpus, NodeRange range) {
  NodeId lowest;
  const int most = free.most_per_node();
  for (int count = free.lowest(gpus); count <= most; count = free.lowest(count + 1)) {
    const NodeId node = free.first_with(count, range);
    if (!node) continue;
    lowest = node;
    range.end = static_cast<int>(node.value());
  }
  return lowest;
}

std::vector<NodeShare> lowest_nodes(const NodeIndex& free, int gang) {
  std::vector<NodeShare> shares;
  if (free.total() < gang) return shares;
  NodeRange rest = free.all_nodes();
  for (int left = gang; left > 0;) {
    const NodeId node = first_with_at_least(free, 1, rest);
    shares.push_back({node, std::min(free.count(node), left)});
    left -= shares.back().gpus;
    rest.begin = static_cast<int>(node.value()) + 1;
  }
  return shares;
}

std::vector<NodeShare> fewest_nodes(const NodeIndex& free, int gang, NodeRange range) {
  std::vector<NodeShare> shares;
  LargestFirst nodes(free, range);
  for (int left = gang; left > 0;) {
    const NodeShare largest = nodes.peek();
    if (!largest.node) return {};
    if (largest.gpus >= left) {
      shares.push_back({nodes.best_fit(left), left});
      return shares;
    }
    shares.push_back(largest);
    nodes.pass(largest.node);
    left -= largest.gpus;
  }
  return shares;
}

std::vector<NodeShare> emptiest_nodes(const NodeIndex& free, std::size_t most) {
  std::vector<NodeShare> nodes;
  LargestFirst largest(free, free.all_nodes());
  for (NodeShare next; nodes.size() < most && (next = largest.peek()).node;) {
    nodes.push_back(next);
    largest.pass(next.node);
  }
  return nodes;
}

std::vector<NodeShare> split_evenly(std::span<const NodeShare> offers, int gang) {
  std::vector<NodeShare> shares;
  for (const NodeShare& offer : offers) shares.push_back({offer.node, 0});
  for (int left = gang; left > 0;) {
    for (std::size_t i = 0; i < offers.size() && left > 0; ++i) {
      if (shares[i].gpus == offers[i].gpus) continue;
      ++shares[i].gpus;
      --left;
    }
  }
  return shares;
}

std::vector<RackId> racks_by_free(const NodeIndex& free) {
  std::vector<RackId> racks;
  racks.reserve(static_cast<std::size_t>(free.racks()));
  for (int r = 0; r < free.racks(); ++r) racks.emplace_back(r);
  std::stable_sort(racks.begin(), racks.end(),
                   [&](RackId a, RackId b) { return free.in_rack(a) > free.in_rack(b); });
  return racks;
}

std::vector<NodeShare> tightest_nodes(const FreeGpus& free, int gang) {
  const NodeIndex& index = free.by_node();
  const int per_node = free.per_node();
  const auto nodes = static_cast<std::size_t>((gang + per_node - 1) / per_node);
  if (gang <= free.per_rack()) return tightest_in_racks(index, gang, nodes);
  auto shares = fewest_nodes(index, gang, index.all_nodes());
  if (shares.size() != nodes) shares.clear();
  return shares;
}

std::optional<Allocation> allocation_on(const FreeGpus& free,
                                        const std::vector<NodeShare>& shares) {
  auto allocation = allocation_in_order(free, shares);
  if (allocation) std::sort(allocation->slots.begin(), allocation->slots.end());
  return allocation;
}

std::optional<Allocation> allocation_in_order(const FreeGpus& free,
                                              const std::vector<NodeShare>& shares) {
  if (shares.empty()) return std::nullopt;
  Allocation allocation;
  for (const NodeShare& share : shares) {
    const auto before = static_cast<std::ptrdiff_t>(allocation.slots.size());
    free.take(share.node, share.gpus, allocation);
    std::sort(allocation.slots.begin() + before, allocation.slots.end());
  }
  return allocation;
}

}  // namespace mimus::scheduler
