// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// GPUs of each node that have not been given yet, in ascending order.
class NodeRoom {
 public:
  /// All usable GPUs.
  NodeRoom(const ClusterShape& shape, const Placer& placer);

  /// Gives a gang the first GPUs of the first node that has enough. A gang that is larger than any
  /// node gets all GPUs of as many nodes as it needs, and the rest on the last one. Nothing if
  /// there is no room.
  [[nodiscard]] std::optional<std::vector<GpuId>> take(int gang);
  /// Gives these GPUs; false if one of them has been given.
  [[nodiscard]] bool take(std::span<const GpuId> gpus);
  [[nodiscard]] int left() const { return left_; }

 private:
  [[nodiscard]] std::optional<std::vector<std::size_t>> nodes_for(int gang) const;
  void remove(GpuId gpu);

  int gpus_per_node_;
  int largest_node_ = 0;  ///< largest number of usable GPUs on a node
  int left_ = 0;
  std::vector<bool> free_;    ///< by GPU
  std::vector<int> on_node_;  ///< free ones, by node
};

}  // namespace mimus::scheduler
