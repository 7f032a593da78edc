// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/planner/gavel/round_shares.hpp"
#include "scheduler/planner/gavel/time_fractions.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Fractions of the time of jobs and pairs, by GPU type.
using UnitFractions = std::map<RoundShares::Unit, std::vector<double>>;

/// Two jobs on the same GPUs.
struct PackedPair {
  int gang = 1;
  std::array<std::vector<double>, 2> rates;  ///< of each beside the other, by type [iterations/s]
};
using PackedPairs = std::map<RoundShares::Unit, PackedPair>;

/// The jobs of a linear program. Those that it cannot tell apart are one entry, whose fractions
/// they share equally.
class PackedJobs {
 public:
  /// Which jobs with the same gang are alike.
  enum class Alike { none, same_speed, same_kind_and_speed };
  /// `shared` has an entry for each of `jobs`.
  PackedJobs(std::span<const PlanJob> jobs, SharedTypes shared, Alike alike);

  /// Which measured pairs may share GPUs.
  enum class Pairs {
    that_gain,  ///< those that together make more than one job after the other
    all         ///< of which a program without need of time may choose those that lose, too
  };
  /// Lets jobs share GPUs in pairs. Jobs of different kinds must not be alike.
  void add_pairs(const ClusterShape& shape, Pairs which);
  [[nodiscard]] const SharedTypes& shared() const { return shared_; }
  /// The fractions of each job, and of the pairs that have some.
  [[nodiscard]] UnitFractions fractions(const TimeFractions& of_entries) const;
  /// The pairs among these.
  [[nodiscard]] PackedPairs pairs(const UnitFractions& fractions) const;

 private:
  [[nodiscard]] std::optional<SharedTypes::Pair> pair(std::size_t a, std::size_t b,
                                                      const ClusterShape& shape, Pairs which) const;
  void spread(const SharedTypes::Pair& pair, const std::vector<double>& together,
              UnitFractions& fractions) const;

  std::span<const PlanJob> jobs_;
  SharedTypes shared_;
  std::vector<std::vector<std::size_t>> members_;  ///< of each entry, as indices of jobs
  std::map<JobId, std::size_t> entry_of_;
};

}  // namespace mimus::scheduler
