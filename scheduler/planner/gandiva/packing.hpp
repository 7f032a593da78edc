// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "scheduler/planner/gandiva/seats.hpp"

namespace mimus::scheduler {

/// Lets two jobs that would take turns make steps at the same time, if this is measured to be
/// faster. A pair is tried for a while. It stays if the sum of both jobs' speeds, each relative to
/// its measured speed alone, is above 1, the sum that turns give. Otherwise it is undone and not
/// tried again. Source: Gandiva (Xiao et al., OSDI'18 §4.2, packing).
class Packing {
 public:
  /// `trial`: time for which a pair is measured.
  explicit Packing(Duration trial) : trial_(trial) {}

  void observe(const JobView& job, const JobSample& sample);
  /// Jobs that are not in the query have left.
  void forget_others(const PlanQuery& query);
  /// If no pair of the seat is on trial, begins the trial of the two jobs with the lowest
  /// utilisations among those that have been measured alone. They get the first turn.
  void try_pair(Seat& seat, Instant now);
  /// Ends the trial of a pair of the seat if it is over; its jobs take turns again if that is
  /// faster. Returns when it will be over; kNever without one.
  [[nodiscard]] Instant review(Seat& seat, Instant now);

 private:
  struct Profile {
    double alone = 0.0;        ///< [samples/s]; 0: not measured
    double utilisation = 1.0;  ///< alone
    double packed_samples = 0.0;
    Duration packed_time{};
  };
  using Pair = std::pair<JobId, JobId>;
  struct Trial {
    Pair pair;
    Instant over;
  };
  [[nodiscard]] Trial* trial_in(const Seat& seat);
  [[nodiscard]] double speed_packed(JobId job) const;
  [[nodiscard]] bool is_candidate(const Turn& turn) const;

  Duration trial_;
  IdMap<JobId, Profile> profiles_;
  std::vector<Trial> trials_;
  std::set<Pair> refused_;
};

}  // namespace mimus::scheduler
