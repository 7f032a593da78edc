// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace mimus::scheduler {

struct ClusterShape;

/// A half-open range of nodes, e.g. one rack.
struct NodeRange {
  int begin = 0;
  int end = 0;
};

/// The number of usable GPUs of each node, indexed by that number: one bitmap of nodes per count,
/// so that "the first node with exactly k" costs a scan of nodes/64 words and an update is O(1).
/// Counts that no node has are skipped.
class NodeIndex {
 public:
  explicit NodeIndex(const ClusterShape& shape);

  void set(NodeId node, int count);
  void add(NodeId node, int change) { set(node, count(node) + change); }

  [[nodiscard]] int count(NodeId node) const { return counts_[node.index()]; }
  [[nodiscard]] int total() const { return total_; }
  [[nodiscard]] int in_rack(RackId rack) const { return rack_totals_[rack.index()]; }
  [[nodiscard]] int racks() const { return static_cast<int>(rack_totals_.size()); }
  [[nodiscard]] int most_per_node() const { return static_cast<int>(bitmaps_.size()) - 1; }
  [[nodiscard]] NodeRange all_nodes() const { return {0, static_cast<int>(counts_.size())}; }
  [[nodiscard]] NodeRange nodes_of(RackId rack) const;

  /// The largest number of usable GPUs up to `at_most` that a node has; zero if no node has any.
  [[nodiscard]] int highest(int at_most) const;
  /// The smallest number of usable GPUs from `at_least` on that a node has; more than most_per_node
  /// if none has as many.
  [[nodiscard]] int lowest(int at_least) const;
  /// The lowest node of `range` with exactly `count` usable GPUs; "none" without one.
  [[nodiscard]] NodeId first_with(int count, NodeRange range) const;

 private:
  using Bitmap = std::vector<std::uint64_t>;

  void count_node(int count, int sign);

  int nodes_per_rack_;
  int total_ = 0;
  std::vector<int> counts_;
  std::vector<int> rack_totals_;
  std::vector<Bitmap> bitmaps_;  ///< [count] → nodes
  std::vector<int> nodes_with_;  ///< [count] → number of nodes
  Bitmap counts_in_use_;         ///< counts that a node has
};

}  // namespace mimus::scheduler
