// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// What attempts on a node with a fault end with; Philly's class of it (Jeon et al., ATC'19, Table
/// 7).
inline constexpr const char* kNodeFault = "GPU ECC error";

/// What happens to a cluster's nodes, in the order in which it does; at one instant nodes go down
/// first, and lower ids go first. Outages are stated, or drawn as they come: each node fails by
/// itself, and again when it has been up for another while after its repair. A node is down while
/// any outage of it lasts.
class NodeOutages {
 public:
  enum class Kind {
    goes_down,
    fault,  ///< it stays up, and what runs on it fails
    comes_up,
    mended,  ///< nothing that anybody sees: the next failure is drawn
  };
  struct Change {
    Instant at;
    Kind kind = Kind::goes_down;
    NodeId node;
    bool drawn = false;
    auto operator<=>(const Change&) const = default;
  };

  /// What is drawn depends on `seed` and the node alone.
  NodeOutages(const ClusterConfig& cluster, std::uint64_t seed);

  /// When the next change is; kNever if none is left.
  [[nodiscard]] Instant next() const { return changes_.empty() ? kNever : changes_.begin()->at; }
  /// Hands over the next one, which is there.
  [[nodiscard]] Change take();
  /// When what runs on the first of these nodes ends, which are up; kNever as far as nothing is
  /// known.
  [[nodiscard]] Instant first_end(const std::set<NodeId>& nodes) const;
  /// Whether a node may come back, or an outage is stated. Otherwise more failures are all that may
  /// come, and jobs that wait will wait for ever.
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
