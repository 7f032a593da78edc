// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/cluster.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// The GPUs that one request may use, counted by node: what placement choices choose from.
class FreeGpus {
 public:
  /// `memory`: need of one replica. Idle GPUs take the cluster's own index; other tiers are counted
  /// here, at a cost linear in the number of GPUs.
  FreeGpus(const Cluster& cluster, const Sharing& sharing, Tier tier, Bytes memory);

  [[nodiscard]] const ClusterShape& shape() const { return cluster_.shape(); }
  [[nodiscard]] const NodeIndex& by_node() const {
    return counted_ ? *counted_ : cluster_.free_gpus();
  }
  /// Appends slots on `count` of the node's usable GPUs: those with the fewest tenants first (the
  /// most where the sharing choice fills shared GPUs first), then on as few islands as possible.
  void take(NodeId node, int count, Allocation& out) const;

 private:
  void take_idle(NodeId node, int count, Allocation& out) const;
  void take_first(std::int64_t begin, std::int64_t end, int count, Allocation& out) const;
  void take_preferred(NodeId node, int count, Allocation& out) const;
  [[nodiscard]] int misfit(int free, int count) const;
  [[nodiscard]] bool usable(const GpuState& gpu) const;
  [[nodiscard]] std::vector<const GpuState*> usable_on(NodeId node) const;

  const Cluster& cluster_;
  const Sharing& sharing_;
  Tier tier_;
  Bytes memory_;
  std::optional<NodeIndex> counted_;
};

}  // namespace mimus::scheduler
