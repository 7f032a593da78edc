// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "scheduler/placement/gpu_sets.hpp"

namespace mimus::scheduler {

/// The GPUs that one request may use, counted by node: what placement choices choose from.
class FreeGpus {
 public:
  /// `by_node` counts the GPUs that pass the filter. All arguments must outlive this object.
  FreeGpus(const Cluster& cluster, const Sharing& sharing, const GpuFilter& filter,
           const NodeIndex& by_node)
      : cluster_(cluster), sharing_(sharing), filter_(filter), by_node_(by_node) {}

  [[nodiscard]] const ClusterShape& shape() const { return cluster_.shape(); }
  [[nodiscard]] const NodeIndex& by_node() const { return by_node_; }
  /// GPUs of the largest node, and of the largest rack, among the nodes that may be used at all.
  [[nodiscard]] int per_node() const { return shape().most_per_node(filter_.type); }
  [[nodiscard]] int per_rack() const { return shape().most_in_rack(filter_.type); }
  /// The tenants of the node, one entry for every replica there.
  [[nodiscard]] std::vector<const Tenant*> tenants_on(NodeId node) const;
  /// Least sum of Sharing::reluctance over `count` of the node's usable GPUs.
  [[nodiscard]] std::int64_t reluctance(NodeId node, int count) const;
  /// Appends slots on `count` of the node's usable GPUs: those that the sharing choice is least
  /// reluctant to take first, then on as few islands as possible.
  void take(NodeId node, int count, Allocation& out) const;
  /// Appends slots on these of the node's usable GPUs, which are numbered from 0.
  void take_these(NodeId node, std::span<const int> numbers, Allocation& out) const;

 private:
  void take_idle(NodeId node, int count, Allocation& out) const;
  void take_first(std::int64_t begin, std::int64_t end, int count, Allocation& out) const;
  void take_preferred(NodeId node, int count, Allocation& out) const;
  [[nodiscard]] static int misfit(int free, int count, int of_node);
  [[nodiscard]] std::vector<const GpuState*> usable_on(NodeId node) const;

  const Cluster& cluster_;
  const Sharing& sharing_;
  const GpuFilter& filter_;
  const NodeIndex& by_node_;
};

}  // namespace mimus::scheduler
