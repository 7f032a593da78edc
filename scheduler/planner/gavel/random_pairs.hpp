// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "base/random.hpp"
#include "scheduler/planner/gavel/time_fractions.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Equal time for all, alone while all gangs fit into the cluster, else in random pairs of jobs
/// with gangs of equal size: the baseline Gandiva of Gavel's artifact. A pair stays together until
/// one of its jobs leaves, or the next computation of fractions finds that they gain too little. A
/// pair of which a speed was not measured gets no time until then.
class RandomPairs {
 public:
  explicit RandomPairs(std::uint64_t seed) : random_(seed, "random pairs") {}

  /// `shared`: an entry for each of `jobs`, and all pairs that were measured.
  [[nodiscard]] TimeFractions fractions(std::span<const PlanJob> jobs, const SharedTypes& shared);

 private:
  void separate(std::span<const PlanJob> jobs, const SharedTypes& shared);
  void pair_up(std::span<const PlanJob> jobs);

  RandomStream random_;
  std::map<JobId, JobId> partner_of_;
};

}  // namespace mimus::scheduler
