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
/// what runs goes on. After how many failures and for how long is not published of any system.
class Quarantine {
 public:
  /// Which failures are taken to be a node's.
  enum class Counts {
    named,     ///< those that name it: it went down, or an exit code says that it is to blame
    transient  ///< also those of machines, network and storage, on every node of the gang
  };
  struct Settings {
    int after = 2;  ///< failures
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
  /// An attempt has failed for which these nodes are to blame. What fails at one instant on a node
  /// counts once. Returns those that are taken out now.
  [[nodiscard]] std::vector<NodeId> begin(std::span<const NodeId> nodes, Instant now);
  /// Those whose time is over, which count no failures from before.
  [[nodiscard]] std::vector<NodeId> end(Instant now);
  /// When the next one's is; kNever for none.
  [[nodiscard]] Instant next() const;

 private:
  [[nodiscard]] bool is_too_much(NodeId node, Instant now);

  std::optional<Settings> settings_;
  std::map<NodeId, std::deque<Instant>> failures_;
  std::map<NodeId, Instant> until_;
};

}  // namespace mimus::scheduler
