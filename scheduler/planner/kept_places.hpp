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

/// Places for gangs that are asked for whole and by rank. Running ones stay where they are, unless
/// a gang ranked before them finds no other place: then, as with preemption, the worst ranked
/// without whom it does are moved away, to another place if there is one. Placement choices that
/// only count GPUs are left to choose when the plan is carried out.
class KeptPlaces {
 public:
  /// `ranking`: all jobs that may be asked for, best rank first.
  KeptPlaces(std::span<const RankedJob> ranking, Placer& placer);

  /// What the job gets when it is given its gang; nothing when there is no place for it.
  [[nodiscard]] std::optional<Target> target_of(const RankedJob& job);

 private:
  struct Runner {
    Rank rank;
    const JobView* job;
  };

  /// Nothing was given to those ranked before `rank` that still stay: they will be stopped.
  void pass_over_before(const Rank& rank);
  void move_worst_ranked();

  Placer& placer_;
  std::vector<Runner> staying_;  ///< not asked for yet and not moved; worst rank first
  /// Gangs and levels that found no place. There is none for those who come later, either: they
  /// may move fewer.
  std::set<std::pair<int, int>> without_place_;
};

}  // namespace mimus::scheduler
