// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"
#include "kernels/pacing/link_course.hpp"

namespace mimus::emulator {

/// The links of GPUs, nodes and racks that several gangs may use (links_used()). Links of GPUs
/// matter only where GPUs have several tenants.
///
/// A link is divided max-min fairly among the transfers under way on it, as in live runs. Gangs
/// send in bursts, whose phases are taken as independent: while gang i makes a step, gang j sends
/// with probability aⱼ, so that each set of other gangs has a probability, and on its narrowest
/// link gang i has a share of what it has alone. A gang sends sᵢ times as long as with its links to
/// itself, and
///   aⱼ = ℓⱼ·sⱼ ÷ (1 + ℓⱼ·(sⱼ − 1))
/// with ℓ the share of time for which it then sends. For sⱼ, each other gang k sends with
/// probability ℓₖ. So only neighbours and their neighbours matter. A gang j whose steps are short
/// against the transfers of i makes many beside each of them: then i sends with probability 1 for
/// sⱼ.
class SharedLinks {
 public:
  explicit SharedLinks(const ClusterConfig& cluster);

  /// Whether another gang may use one of its links.
  [[nodiscard]] bool used_by(const Attempt& attempt) const;
  /// What an attempt sends in a step while its links are its own.
  struct Sending {
    Duration step{};
    Duration transfers{};
    bool operator==(const Sending&) const = default;
    /// Of its time, 0..1.
    [[nodiscard]] double share() const {
      return transfers < step ? to_seconds(transfers) / to_seconds(step) : 1.0;
    }
  };
  /// Sets what the attempt sends. Returns its links if that is new.
  std::vector<std::size_t> load(const Attempt& attempt, const Sending& sending);
  void leave(AttemptId attempt);

  /// Calls `update(id, shares)`, ascending by id, for all attempts that depend on the gangs on
  /// `links`. See Surroundings::link_shares.
  template <class Update>
  void share_out(const std::vector<std::size_t>& links, Update&& update) const {
    for (const AttemptId id : dependent_on(links)) update(id, shares_now(id));
  }
  /// The links of an attempt that is here; else none.
  [[nodiscard]] std::vector<std::size_t> links_of(AttemptId attempt) const;

 private:
  /// A gang on a link.
  struct Passer {
    AttemptId id;
    double load = 0.0;  ///< share of the link's bandwidth that it uses while it sends alone
    Sending sending;
  };
  struct Sender {
    std::vector<kernels::LinkUse> uses;
    Sending sending;
  };

  void enter(const Attempt& attempt, const Sending& sending);
  void forget_activities(const std::vector<kernels::LinkUse>& uses);
  [[nodiscard]] std::vector<kernels::LinkUse> used(const Attempt& attempt) const;
  [[nodiscard]] std::set<AttemptId> on(const std::vector<std::size_t>& links) const;
  [[nodiscard]] std::set<AttemptId> dependent_on(const std::vector<std::size_t>& links) const;
  [[nodiscard]] std::vector<Passer> others(AttemptId id) const;
  template <class Sends>
  [[nodiscard]] double narrowest(AttemptId id, const Sends& sends) const;
  template <class Sends>
  [[nodiscard]] std::vector<LinkShare> shares(AttemptId id, const Sends& sends) const;
  [[nodiscard]] double activity(const Passer& one, AttemptId beside) const;
  [[nodiscard]] std::vector<LinkShare> shares_now(AttemptId id) const;

  const ClusterConfig& cluster_;
  std::unordered_map<AttemptId, Sender> senders_;  ///< never iterated
  /// Those known, beside any gang or one that sends all the time; never iterated.
  mutable std::unordered_map<AttemptId, std::map<std::optional<AttemptId>, double>> activities_;
  std::vector<std::vector<Passer>> on_link_;  ///< by link, ascending by id
};

}  // namespace mimus::emulator
