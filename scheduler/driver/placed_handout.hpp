// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scheduler/driver/room.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/sizing/handout.hpp"

namespace mimus::scheduler {

struct State;

/// Finds a place for every gang as well, for placement choices that ask for more than a number of
/// GPUs. Gangs must be asked for whole and by rank. Running ones stay where they are, unless a gang
/// ranked before them finds no other place: then, as with preemption, the worst ranked without whom
/// it does are stopped. They are given another place if there is one.
class PlacedHandout final : public Handout {
 public:
  /// `jobs`: all that may be asked for, and all that hold GPUs.
  PlacedHandout(State& state, std::span<JobRecord* const> jobs, int gpus, Instant now);

  /// Where gangs are to start that were given GPUs and do not stay where they are.
  [[nodiscard]] std::unordered_map<JobId, Allocation> take_places() { return std::move(places_); }

 private:
  struct Runner {
    Rank rank;
    const JobView* job;
  };

  [[nodiscard]] bool find_place(const Contender& contender, int gpus) override;
  /// Nothing was given to those ranked before `rank` that still stay: they will be stopped.
  void pass_over_before(const Rank& rank);
  [[nodiscard]] PlacementRequest request_of(const JobRecord& job) const;
  void stop_worst_ranked();

  State& state_;
  Instant now_;
  Room room_;
  std::vector<Runner> staying_;  ///< not asked for yet and not stopped; worst rank first
  /// Gangs and levels that found no place. There is none for those who come later, either: they
  /// may stop fewer.
  std::set<std::pair<int, int>> without_place_;
  std::unordered_map<JobId, Allocation> places_;
};

}  // namespace mimus::scheduler
