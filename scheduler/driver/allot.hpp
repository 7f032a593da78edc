// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "scheduler/action.hpp"
#include "scheduler/sizing/sizing.hpp"

namespace mimus::scheduler {

struct State;

/// What is left to do of the present round of a sizing choice that hands out the cluster.
struct AllotmentRound {
  Instant next_at = kNever;         ///< when it is asked next; kNever while there are no jobs
  std::vector<AttemptId> stopping;  ///< must end before anything starts
  std::vector<Allotted> starts;     ///< in this order
  /// Where they start, with placement choices that ask for more than a number of GPUs.
  std::unordered_map<JobId, Allocation> places;
};

/// In place of start_fitting and make_room when the sizing choice allots: at every multiple of its
/// round it is asked which job should have how many GPUs. Jobs that have as many keep them, unless
/// they must move for the placement of better ranked ones; the others are stopped, and when all of
/// these have ended the waiting ones are started. Where running jobs are resized in place, those
/// with fewer GPUs shrink meanwhile and those with more grow when the waiting ones start. Between
/// rounds nothing starts. Returns the next multiple, or kNever when no job is left.
Instant allot(State& state, Instant now, Decision& decision);

}  // namespace mimus::scheduler
