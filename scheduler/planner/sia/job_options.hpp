// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/batch/best_batch.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A number of GPUs of a type on a number of nodes.
struct Configuration {
  int type = 0;
  int nodes = 1;
  int gpus = 1;
};

/// A configuration that a job may have, and its goodput.
struct JobOption {
  Configuration what;
  double goodput = 0.0;  ///< 0: no estimate for GPUs of this type
  bool is_now = false;   ///< the job has it
};

/// The options of the jobs of a query, which must outlive it. Of each type that is 1, 2, 4, … up to
/// R usable GPUs on one node of R GPUs, and two whole nodes or more (Sia, SOSP'23, §3.3), up to
/// what a job may have by its batch and by the estimate, in whole replicas; of rigid jobs their
/// gang, and of others also the least gang that they accept, which a quota may leave as the only
/// one. Of a type of which nothing
/// is believed it is the smallest one alone.
class OptionsOfJobs {
 public:
  OptionsOfJobs(const PlanQuery& query, int most_gpus);

  [[nodiscard]] std::vector<JobOption> operator()(const PlanJob& job);
  /// The configuration that the job has and may keep.
  [[nodiscard]] std::optional<Configuration> now(const JobView& job) const;

 private:
  [[nodiscard]] std::vector<Configuration> configurations(int type) const;
  [[nodiscard]] std::vector<Configuration> possible(const JobView& job, int type) const;
  [[nodiscard]] double goodput(const JobView& job, const Configuration& what);

  const PlanQuery& query_;
  int most_gpus_;
  std::vector<std::vector<Configuration>> by_type_;  ///< fewest GPUs first
  BatchGrids grids_;
};

/// Cost of each option, in hundredths and rounded: value^power, at most 3000 (the artifact's
/// sia.py). The value is the goodput in multiples of that of the worst option, times its `least`
/// GPUs; options without an estimate count as the worst one. If the job has one of them, the values
/// of the others are multiplied by `restart`.
[[nodiscard]] std::vector<std::int64_t> costs_of(const std::vector<JobOption>& options, int least,
                                                 double restart, double power);

}  // namespace mimus::scheduler
