// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <vector>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"

namespace mimus::emulator {

/// The uplinks of nodes and racks and the gangs that cross them. A gang crosses the uplink of each
/// of its nodes if it has several, and of each of its racks; a ring passes each of them once per
/// direction. A node's uplink carries `network`, a rack's `rack_network` for each of its nodes.
///
/// A link is divided evenly among the transfers under way on it, as in live runs. Gangs send in
/// bursts, whose phases are taken as independent. While gang i sends, gang j does so too with
/// probability aⱼ, so that i sends sᵢ times as long as alone:
///   sᵢ = (1 + Σⱼ aⱼ) ÷ lanes, at least 1, on the link where that is largest
///   aⱼ = ℓⱼ·tⱼ ÷ (1 + ℓⱼ·(tⱼ − 1)),  tⱼ = (1 + Σₖ ℓₖ) ÷ lanes, at least 1
/// with ℓ the share of time for which a gang sends alone, sums over the other gangs on the link,
/// and lanes the number of such transfers that the link carries at full rate. This ends the
/// recursion of sᵢ after two steps, so that only neighbours and their neighbours matter.
class Uplinks {
 public:
  explicit Uplinks(const ClusterConfig& cluster);

  /// Whether any uplink lies between its replicas.
  [[nodiscard]] bool crossed_by(const Attempt& attempt) const;
  /// `load`: share of its time for which it sends when alone, 0..1.
  void enter(const Attempt& attempt, double load);
  void leave(AttemptId attempt);

  /// Calls `update(id, share)`, ascending by id, for all attempts that depend on the gangs on
  /// `links`, with the share 1 ÷ s of their link's bandwidth.
  template <class Update>
  void share_out(const std::vector<std::size_t>& links, Update&& update) const {
    Activities active;
    for (const AttemptId id : dependent_on(links)) update(id, 1.0 / stretch(id, active));
  }
  /// The links of an attempt that is here; else none.
  [[nodiscard]] std::vector<std::size_t> links_of(AttemptId attempt) const;

 private:
  struct Crossing {
    std::size_t link = 0;
    double lanes = 1.0;
  };
  struct Gang {
    double load = 0.0;
    std::vector<Crossing> crossings;
  };
  using Activities = std::map<AttemptId, double>;

  [[nodiscard]] std::vector<std::size_t> crossed(const Attempt& attempt) const;
  [[nodiscard]] double capacity(std::size_t link, int nodes) const;
  [[nodiscard]] std::set<AttemptId> on(const std::vector<std::size_t>& links) const;
  [[nodiscard]] std::set<AttemptId> dependent_on(const std::vector<std::size_t>& links) const;
  template <class Activity>
  [[nodiscard]] double crowd(AttemptId id, Activity&& activity) const;
  [[nodiscard]] double activity(AttemptId id, Activities& known) const;
  [[nodiscard]] double stretch(AttemptId id, Activities& known) const;

  const ClusterConfig& cluster_;
  std::map<AttemptId, Gang> gangs_;
  std::vector<std::vector<AttemptId>> on_link_;  ///< node uplinks, then rack uplinks; ascending
};

}  // namespace mimus::emulator
