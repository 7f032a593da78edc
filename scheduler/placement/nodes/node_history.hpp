// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace mimus::scheduler {

/// The nodes of a cluster by their last change. Those that have changed since any moment are found
/// without a look at the others, however long ago it was.
class NodeHistory {
 public:
  explicit NodeHistory(std::size_t nodes) : entries_(nodes + 1) {}

  /// The node has changed.
  void note(NodeId node) {
    const std::size_t index = node.index() + 1;
    Entry& entry = entries_[index];
    if (entry.changed != 0) unlink(entry);
    entry = {.changed = ++changes_, .newer = kEnd, .older = entries_[kEnd].older};
    entries_[entry.older].newer = index;
    entries_[kEnd].older = index;
  }
  /// Changes so far.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// Calls `act(node)` for each node that has changed after so many changes, the last one first.
  template <class Act>
  void each_since(std::uint64_t changes, Act&& act) const {
    std::size_t index = entries_[kEnd].older;
    for (; index != kEnd && entries_[index].changed > changes; index = entries_[index].older) {
      act(NodeId{static_cast<NodeId::value_type>(index - 1)});
    }
  }

 private:
  /// A ring of all nodes that have changed. It begins and ends at the entry before the first
  /// node's.
  static constexpr std::size_t kEnd = 0;
  struct Entry {
    std::uint64_t changed = 0;  ///< by the last of so many changes; 0: never
    std::size_t newer = kEnd;
    std::size_t older = kEnd;
  };

  void unlink(const Entry& entry) {
    entries_[entry.newer].older = entry.older;
    entries_[entry.older].newer = entry.newer;
  }

  std::vector<Entry> entries_;
  std::uint64_t changes_ = 0;
};

}  // namespace mimus::scheduler
