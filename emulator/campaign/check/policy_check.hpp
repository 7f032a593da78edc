// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emulator/campaign/campaign.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// What a workload has that only some policies can use, or none.
struct JobTraits {
  bool run_times = false;         ///< jobs are recorded run times (StepTimeModel::counts_run_time)
  bool asks_for_shares = false;   ///< some jobs ask for a share of a GPU
  bool states_estimates = false;  ///< users of some jobs state a run time
  std::set<std::string> virtual_clusters{};
  std::set<std::string> models{};  ///< by name; none of jobs that are run times
  int largest_gang = 0;
  std::map<std::string, Bytes> data_sets{};  ///< that jobs name, with the sizes first given
  bool of_all_jobs = true;   ///< false when some jobs of a long workload have not been looked at
  std::string off_limits{};  ///< the first that asks for a batch outside its model's limits
  /// `model` is null for a job that is only a run time.
  void add(const workloads::Job& job, const workloads::Model* model);
};

/// Loads what the planner only needs to plan, as errors are to be found before a run. In a live
/// world rank 0 plans, and the others load nothing.
void load_planner(const CellConfig& config);

/// ConfigError when the planner makes gangs of its own of jobs that are run times: how long
/// they would take on other gangs is not known.
void check_gangs(const Cell& cell, const CellConfig& config, const JobTraits& traits);

/// Notes what of the policy has no effect on these jobs: cells that differ in it alone would have
/// the same results under different labels. And what jobs ask for that they do not get.
void add_policy_notes(const Cell& cell, const CellConfig& config, const JobTraits& traits,
                      std::vector<std::string>& notes);

}  // namespace mimus::emulator
