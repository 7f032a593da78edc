// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// The reason with which attempts on a faulty node end; Philly's class of it (Jeon et al., ATC'19,
/// Table 7).
inline constexpr const char* kNodeFault = "GPU ECC error";

/// Changes of a cluster's nodes in order of time; at one instant nodes go down first, and lower ids
/// come first. Outages are stated, or drawn as the run proceeds: each node fails independently, and
/// again when it has been up for another while after its repair. A node is down while any of its
/// outages lasts.
class NodeOutages {
 public:
  enum class Kind {
    goes_down,
    fault,  ///< it stays up, and attempts on it fail
    comes_up,
    mended,  ///< invisible: the next failure is drawn
  };
  struct Change {
    Instant at;
    Kind kind = Kind::goes_down;
    NodeId node;
    bool drawn = false;
    auto operator<=>(const Change&) const = default;
  };

  /// Draws depend only on `seed` and the node.
  NodeOutages(const ClusterConfig& cluster, std::uint64_t seed);

  /// The instant of the next change; kNever if none is left.
  [[nodiscard]] Instant next() const { return changes_.empty() ? kNever : changes_.begin()->at; }
  /// Returns the next change, which must exist.
  [[nodiscard]] Change take();
  /// The instant at which attempts on the first of these nodes, which are up, end; kNever if none
  /// is known.
  [[nodiscard]] Instant first_end(const std::set<NodeId>& nodes) const;
  /// Whether a node may come back, or an outage is stated. Otherwise only more failures can follow,
  /// and waiting jobs wait for ever.
  [[nodiscard]] bool may_help() const { return stated_left_ > 0 || nodes_down_ > 0; }

 private:
  void draw(NodeId node, Instant from);
  void skip_unseen();
  void count(const Change& change);
  [[nodiscard]] bool is_seen(const Change& change) const;
  [[nodiscard]] int& outages_of(NodeId node) { return lasting_[node.index()]; }

  std::optional<NodeFailures> failures_;
  std::set<Change> changes_;  ///< to come, the first of them one that is seen
  std::vector<int> lasting_;  ///< outages, by node
  std::vector<RandomStream> random_;
  std::size_t stated_left_ = 0;
  int nodes_down_ = 0;
};

}  // namespace mimus::emulator
