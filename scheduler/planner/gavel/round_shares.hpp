// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"

namespace mimus::scheduler {

/// Turns fractions of time into an assignment of GPUs for the next round. On each type, jobs whose
/// time lags most behind their fraction come first. Source: Gavel (OSDI'20 §5 and its
/// scheduler.py), in which each job counts half a round as used before anything has run.
class RoundShares {
 public:
  /// A job, or a pair of jobs on the same GPUs.
  using Unit = std::pair<JobId, JobId>;
  struct Candidate {
    Unit unit;
    int gang = 1;
    std::vector<bool> can_run;  ///< on each type
  };
  struct Choice {
    Unit unit;
    int type = 0;
  };

  [[nodiscard]] static Unit alone(JobId job) { return {job, JobId{}}; }

  RoundShares(int types, Duration round) : types_(types), half_(to_seconds(round) / 2.0) {}

  /// A unit without fractions keeps its place in a round, but does not run until it has some.
  void add(Unit unit);
  void remove(Unit unit);
  /// New fractions for all units that get some; `elapsed`: time since the last call [s].
  void renew(const std::map<Unit, std::vector<double>>& fractions, double elapsed);
  /// A unit, which may have left, has used this much time on a type [s].
  void note(Unit unit, int type, double time);
  [[nodiscard]] const std::vector<double>* fractions_of(Unit unit) const;

  /// Assigns units to types for the next round. Takes one type after the other in this order, and
  /// as many units as fit into its `gpus`. A job is taken once.
  [[nodiscard]] std::vector<Choice> choose(std::span<const Candidate> candidates,
                                           std::span<const int> type_order,
                                           std::vector<int> gpus) const;

 private:
  struct Course {
    std::vector<double> fractions;  ///< by type; empty: none yet
    std::vector<double> had;        ///< time since the last renewal, by type [s]
    std::vector<double> deficits;   ///< time that it lacked before that [s]
  };
  /// The value by which units are ranked on a type, the largest first.
  struct Claim {
    double priority = 0.0;
    double deficit = 0.0;
    double fraction = 0.0;
    const Candidate* of = nullptr;
  };
  [[nodiscard]] std::vector<Claim> claims(std::span<const Candidate> candidates, int type) const;

  int types_;
  double half_;  ///< of a round [s]
  std::map<Unit, Course> courses_;
  std::vector<double> had_by_all_;  ///< by type; empty before the first renewal
};

}  // namespace mimus::scheduler
