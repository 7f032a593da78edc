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

/// Turns fractions of time into who is on which GPUs in the next round: of each type those come
/// first whose time on it lags most behind their fraction. Source: Gavel (OSDI'20 §5 and its
/// scheduler.py): a round is taken to have half been had by each before anything has run.
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

  /// A unit without fractions keeps a place in a round, but does not run, until it has some.
  void add(Unit unit);
  void remove(Unit unit);
  /// New fractions, of all units that are to have some; `elapsed`: since the last time [s].
  void renew(const std::map<Unit, std::vector<double>>& fractions, double elapsed);
  /// So much time has been had on a type, maybe by a unit that has left [s].
  void note(Unit unit, int type, double time);
  [[nodiscard]] const std::vector<double>* fractions_of(Unit unit) const;

  /// Who is on which type in the next round. Takes one type after the other in this order, and
  /// what fits into its `gpus`; a job is taken once.
  [[nodiscard]] std::vector<Choice> choose(std::span<const Candidate> candidates,
                                           std::span<const int> type_order,
                                           std::vector<int> gpus) const;

 private:
  struct Course {
    std::vector<double> fractions;  ///< by type; empty: none yet
    std::vector<double> had;        ///< time since the last renewal, by type [s]
    std::vector<double> deficits;   ///< time that it should have had but has not, before that [s]
  };
  /// By what units are ranked on a type, the largest first.
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
