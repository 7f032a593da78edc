// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// The free GPUs of the first nodes of a cluster, on which jobs are profiled.
class ProfilerNodes {
 public:
  /// The first `nodes` nodes, but never all of them. GPUs that cannot be used are not free.
  ProfilerNodes(int nodes, const PlanQuery& query);

  [[nodiscard]] bool has(GpuId gpu) const { return gpu.index() < free_.size(); }
  [[nodiscard]] int free() const;
  /// GPUs of one node, the one with the smallest sufficient number. A gang that is larger than a
  /// node gets the first GPUs of all nodes.
  [[nodiscard]] std::optional<Allocation> place(int gang) const;
  void take(const Allocation& place);
  /// All that are free.
  [[nodiscard]] Allocation rest() const;

 private:
  [[nodiscard]] Allocation free_from(std::size_t first, std::size_t count) const;

  std::size_t per_node_;
  std::vector<bool> free_;  ///< by GPU
};

}  // namespace mimus::scheduler
