// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"
#include "emulator/virtual/contention/max_min.hpp"

namespace mimus::emulator {

/// The uplinks of nodes and racks and the gangs that cross them. A gang crosses the uplink of each
/// of its nodes if it has several, and of each of its racks; a ring passes each of them once per
/// direction. A node's uplink carries `network`, a rack's `rack_network` for each of its nodes.
/// Rates are mean rates: a gang asks for its link's bandwidth for the share of time in which it
/// sends when alone, and max-min fairness is over these.
class Uplinks {
 public:
  explicit Uplinks(const ClusterConfig& cluster);

  /// Whether any uplink lies between its replicas.
  [[nodiscard]] bool crossed_by(const Attempt& attempt) const;
  /// `load`: share of its time for which it sends when alone, 0..1.
  void enter(const Attempt& attempt, double load);
  void leave(AttemptId attempt);

  /// Calls `update(id, share)` for the attempts on `links` and those they compete with, with the
  /// share of their link's bandwidth at which their mean rate is the granted one.
  template <class Update>
  void share_out(const std::vector<std::size_t>& links, Update&& update) const {
    const Component component = connected(links);
    const auto shares = shares_of(component);
    for (std::size_t i = 0; i < shares.size(); ++i) update(component.attempts[i], shares[i]);
  }
  /// Of an attempt that is here; else none.
  [[nodiscard]] std::vector<std::size_t> links_of(AttemptId attempt) const;

 private:
  struct Gang {
    double load = 0.0;
    double demand = 0.0;  ///< B/s, mean
    std::vector<std::size_t> links;
  };
  struct Component {
    std::vector<AttemptId> attempts;  ///< ascending
    std::vector<std::size_t> links;   ///< those of them that are short, ascending
  };
  [[nodiscard]] bool is_short(std::size_t link) const;
  [[nodiscard]] Component connected(const std::vector<std::size_t>& links) const;
  [[nodiscard]] std::vector<double> shares_of(const Component& component) const;
  [[nodiscard]] std::vector<std::size_t> crossed(const Attempt& attempt) const;
  [[nodiscard]] double capacity(std::size_t link) const;

  const ClusterConfig& cluster_;
  std::map<AttemptId, Gang> gangs_;
  std::vector<std::vector<AttemptId>> on_link_;  ///< node uplinks, then rack uplinks; ascending
};

}  // namespace mimus::emulator
