// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <set>
#include <vector>

#include "scheduler/estimate/learned_run_time.hpp"
#include "scheduler/trees/regression_tree.hpp"

namespace mimus::scheduler {

/// The last jobs that finished as examples for trees. The target is the logarithm of the run time
/// [ln s]. A gang is its number of GPUs; every other key is the mean target of the examples of the
/// same value, and of all examples for a value that none has (target encoding).
class FinishedJobs {
 public:
  FinishedJobs(std::vector<JobKey> by, std::size_t most) : by_(std::move(by)), most_(most) {}

  void add(const JobView& finished, double seconds);
  /// Encodes what was added; features() goes by it from now on. Not without a job.
  [[nodiscard]] Examples encode();
  [[nodiscard]] const std::vector<double>& targets() const { return targets_; }
  [[nodiscard]] std::vector<double> features(const JobView& job) const;
  /// Whether an example that was encoded is of the group.
  [[nodiscard]] bool has_group(const std::string& group) const { return groups_.contains(group); }

 private:
  struct Row {
    std::vector<std::string> values;  ///< by key
    std::string group;
    double gpus;
    double target;
  };
  [[nodiscard]] Row row_of(const JobView& job, double target) const;
  [[nodiscard]] std::vector<double> encoded(const Row& row) const;

  std::vector<JobKey> by_;
  std::size_t most_;
  std::deque<Row> rows_;
  std::vector<double> targets_;
  std::vector<std::map<std::string, RunningMean>> codes_;  ///< by key
  std::set<std::string> groups_;
  RunningMean all_;
};

/// The natural logarithm of a run time; what is shorter than a second counts as one.
[[nodiscard]] double log_seconds(double seconds);

}  // namespace mimus::scheduler
