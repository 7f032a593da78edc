// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/engine.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// The cores that attempts ask for on each node of a cluster where they may be short.
class CoreUse {
 public:
  /// `shape` must outlive this object.
  explicit CoreUse(const scheduler::ClusterShape& shape);

  /// False if cores are never short; nothing is counted then, and all loads are 1.
  [[nodiscard]] bool matters() const { return !milli_cores_.empty(); }
  void enter(const Attempt& attempt);
  void leave(const Attempt& attempt);
  /// Attempts that use cores of the node but no GPU, by ascending id.
  [[nodiscard]] const std::vector<AttemptId>& without_gpus(NodeId node) const {
    return without_gpus_[node.index()];
  }
  /// Cores that attempts ask for ÷ those that the node has; at least 1.
  [[nodiscard]] double load(NodeId node) const;

 private:
  void count(const Attempt& attempt, std::int64_t sign);

  const scheduler::ClusterShape& shape_;
  std::vector<std::int64_t> milli_cores_;             ///< by node
  std::vector<std::vector<AttemptId>> without_gpus_;  ///< by node
};

}  // namespace mimus::emulator
