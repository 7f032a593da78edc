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

/// What one more replica than those on `gpus` is worth to a job.
using MarginalGain = std::function<double(const JobView& job, int gpus)>;

/// One replica for each job in order while there are any GPUs, for rigid ones their gang. A replica
/// is one GPU unless its model is split. Jobs to which admission refuses it, and those that do not
/// fit, are passed over.
[[nodiscard]] std::vector<Served> serve_each(std::span<const PlanJob* const> jobs,
                                             Handout& handout);

/// Replicas one by one to the job that gains most per GPU by one more, ties to the earlier in
/// `served`, until no GPU is left or no job gains. A job whose next replica does not fit gets no
/// more. Rigid jobs keep what they have.
void give_by_gain(std::span<Served> served, const MarginalGain& gain, Handout& handout);

}  // namespace mimus::scheduler
