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

/// Properties of a workload that only some policies can use, or none.
struct JobTraits {
  bool run_times = false;         ///< jobs are recorded run times (StepTimeModel::counts_run_time)
  bool asks_for_shares = false;   ///< some jobs request a share of a GPU
  bool plans_batches = false;     ///< some jobs have a batch_plan
  bool states_estimates = false;  ///< users of some jobs state a run time
  std::set<std::string> virtual_clusters{};
  std::set<std::string> models{};  ///< by name; none of jobs that are run times
  int largest_gang = 0;
  std::map<std::string, Bytes> data_sets{};  ///< that jobs name, with the sizes first given
  bool of_all_jobs = true;                   ///< false: some jobs of a long workload were not read
  std::string off_limits{};                  ///< the first with a batch outside its model's limits
  /// `model` is null for a job that is only a run time.
  void add(const workloads::Job& job, const workloads::Model* model);
};

/// Loads what the planner needs only for planning, because errors should show before a run. In a
/// live world rank 0 plans, and the others load nothing.
void load_planner(const CellConfig& config);

/// Throws ConfigError if the planner resizes gangs of jobs that are run times: their times with
/// other gangs are not known.
void check_gangs(const Cell& cell, const CellConfig& config, const JobTraits& traits);

/// Notes parts of the policy without effect on these jobs: cells that differ only in them would
/// have the same results under different labels. Also notes requests of jobs that are not met.
void add_policy_notes(const Cell& cell, const CellConfig& config, const JobTraits& traits,
                      std::vector<std::string>& notes);

}  // namespace mimus::emulator
