// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace mimus::scheduler {

/// The nodes whose GPUs, tenants or free cores have changed recently. An index over nodes then
/// updates only these. Kept once an index asks for it.
class NodeChanges {
 public:
  void keep() {
    if (last_.empty()) last_.resize(kKept);
  }
  void note(NodeId node) {
    if (!last_.empty()) last_[static_cast<std::size_t>(count_++) % kKept] = node;
  }
  /// Changes so far; the n-th one was of node at(n).
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] NodeId at(std::uint64_t n) const {
    return last_[static_cast<std::size_t>(n) % kKept];
  }
  /// False when changes since the n-th one have been forgotten.
  [[nodiscard]] bool remembers(std::uint64_t n) const { return count_ - n <= last_.size(); }

 private:
  static constexpr std::size_t kKept = 4096;

  std::vector<NodeId> last_;
  std::uint64_t count_ = 0;
};

}  // namespace mimus::scheduler
