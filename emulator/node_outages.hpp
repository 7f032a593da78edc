// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// The outages of a cluster's nodes in the order in which they begin and end; at one instant nodes
/// go down first, and lower ids go first.
class NodeOutages {
 public:
  struct Change {
    Instant at;
    bool comes_up = false;
    NodeId node;
    auto operator<=>(const Change&) const = default;
  };

  explicit NodeOutages(const std::vector<Outage>& outages);

  /// When the next change is; kNever if none is left.
  [[nodiscard]] Instant next() const {
    return next_ < changes_.size() ? changes_[next_].at : kNever;
  }
  /// Hands over the next one, which is there.
  [[nodiscard]] const Change& take() { return changes_[next_++]; }
  /// When the first of these nodes, which are up, goes down; kNever if none does.
  [[nodiscard]] Instant first_down(const std::set<NodeId>& nodes) const;

 private:
  std::vector<Change> changes_;
  std::size_t next_ = 0;
};

}  // namespace mimus::emulator
