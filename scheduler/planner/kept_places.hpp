// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "scheduler/order/order.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

struct RankedJob {
  Rank rank;
  const PlanJob* job;
  bool operator<(const RankedJob& other) const { return rank < other.rank; }
};

/// Places for whole gangs, requested by rank. Running gangs stay where they are, unless a gang
/// ranked before them finds no other place. Then, as with preemption, the worst ranked gangs whose
/// places it needs are moved away, to another place if there is one. Placement choices that only
/// count GPUs choose when the plan is carried out.
class KeptPlaces {
 public:
  /// `ranking`: all jobs that may be requested, best rank first.
  KeptPlaces(std::span<const RankedJob> ranking, Placer& placer);

  /// The place that the job gets for its gang; nothing if there is none.
  [[nodiscard]] std::optional<Target> target_of(const RankedJob& job);

 private:
  struct Runner {
    Rank rank;
    const JobView* job;
  };

  /// The jobs ranked before `rank` that still stay were given nothing: they will be stopped.
  void pass_over_before(const Rank& rank);
  void move_worst_ranked();

  Placer& placer_;
  std::vector<Runner> staying_;  ///< not requested yet and not moved; worst rank first
  /// Gangs and levels without a place. Later ones have none either, because they may move fewer
  /// gangs.
  std::set<std::pair<int, int>> without_place_;
};

}  // namespace mimus::scheduler
