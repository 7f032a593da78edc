// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"

namespace mimus::scheduler {

/// Nodes on which attempts keep failing are taken out for a while: nothing new is placed there, and
/// running attempts continue. No publication says after how many failures and for how long.
class Quarantine {
 public:
  /// Which failures are attributed to a node.
  enum class Counts {
    named,     ///< failures that name it: it went down, or by exit code
    transient  ///< also those of machines, network and storage, on every node of the gang
  };
  struct Settings {
    int after = 2;  ///< number of failures
    Counts counts = Counts::named;
    Duration within = std::chrono::hours(1);
    Duration length = std::chrono::hours(24);
  };
  /// Without settings no node is taken out.
  explicit Quarantine(const std::optional<Settings>& settings) : settings_(settings) {}

  [[nodiscard]] bool acts() const { return settings_.has_value(); }
  [[nodiscard]] bool counts_guesses() const {
    return acts() && settings_->counts == Counts::transient;
  }
  /// An attempt has failed because of these nodes. Failures of one instant on a node count once.
  /// Returns the nodes that are taken out now.
  [[nodiscard]] std::vector<NodeId> begin(std::span<const NodeId> nodes, Instant now);
  /// Nodes whose time is over. Their earlier failures no longer count.
  [[nodiscard]] std::vector<NodeId> end(Instant now);
  /// The instant at which the next one's time is over; kNever: none.
  [[nodiscard]] Instant next() const;

 private:
  [[nodiscard]] bool is_too_much(NodeId node, Instant now);

  std::optional<Settings> settings_;
  std::map<NodeId, std::deque<Instant>> failures_;
  std::map<NodeId, Instant> until_;
};

}  // namespace mimus::scheduler
