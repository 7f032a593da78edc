// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {

/// A job that has GPUs in a plan.
struct Served {
  const PlanJob* job;
  int gpus;
};

/// The value of one GPU more than `gpus` for a job.
using MarginalGain = std::function<double(const JobView& job, int gpus)>;

/// One GPU for each job in order while there are any; for rigid jobs their gang. Jobs to which
/// admission refuses it, and rigid jobs that do not fit, are passed over.
[[nodiscard]] std::vector<Served> serve_each(std::span<const PlanJob* const> jobs,
                                             Handout& handout);

/// Gives GPUs one by one to the job that gains most from one more, ties to the earlier in `served`,
/// until none is left or no job gains. Rigid jobs keep what they have.
void give_by_gain(std::span<Served> served, const MarginalGain& gain, Handout& handout);

}  // namespace mimus::scheduler
