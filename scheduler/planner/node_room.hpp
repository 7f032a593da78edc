// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Which GPUs of which node are still to be given, in reading order.
class NodeRoom {
 public:
  /// All that can be used.
  NodeRoom(const ClusterShape& shape, const Placer& placer);

  /// Gives a gang the first GPUs of the first node that has enough; a gang that no node has the
  /// GPUs for gets all of as many nodes as it needs, and of the last one the rest. Nothing when it
  /// finds no room.
  [[nodiscard]] std::optional<std::vector<GpuId>> take(int gang);
  /// Gives these; false if one of them is not to be given any more.
  [[nodiscard]] bool take(std::span<const GpuId> gpus);
  [[nodiscard]] int left() const { return left_; }

 private:
  [[nodiscard]] std::optional<std::vector<std::size_t>> nodes_for(int gang) const;
  void remove(GpuId gpu);

  int gpus_per_node_;
  int largest_node_ = 0;  ///< GPUs that can be used of the node that has most
  int left_ = 0;
  std::vector<bool> free_;    ///< by GPU
  std::vector<int> on_node_;  ///< free ones, by node
};

}  // namespace mimus::scheduler
