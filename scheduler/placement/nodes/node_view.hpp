// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace mimus::scheduler {

/// What is left of a node.
struct NodeView {
  NodeId node;
  int type = 0;  ///< of its GPUs
  HostNeed host;
  std::vector<int> left;           ///< of each of its GPUs, in thousandths; 0 where not usable
  int all_left = 0;                ///< of them together
  bool is_open = false;            ///< some GPU is usable
  std::span<const GpuState> gpus;  ///< and their tenants
  double fragmented = 0.0;         ///< kept by choices that ask for it, see Fragmentation [milli]

  [[nodiscard]] int size() const { return static_cast<int>(left.size()); }
};

/// `cluster` must outlive it. Fragmentation is left at 0.
[[nodiscard]] NodeView view_of(const Cluster& cluster, NodeId node);

}  // namespace mimus::scheduler
