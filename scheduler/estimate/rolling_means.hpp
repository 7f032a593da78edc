// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scheduler/estimate/learned_run_time.hpp"

namespace mimus::scheduler {

/// The rolling part of Helios' QSSF (Hu et al., SC'21 §4.2.2, and its public code): the mean run
/// time of the jobs of the same user and number of GPUs under the two names most like the job's, if
/// at least 0.6 alike; else the mean of the user; for a new user that of the name, else that of
/// all. A job's group is its name; a job without a group is like no other.
class RollingMeans {
 public:
  void add(const JobView& finished, double seconds);
  /// Nothing before the first job has finished [s].
  [[nodiscard]] std::optional<double> of(const JobView& arriving) const;

 private:
  using Names = std::map<std::string, RunningMean>;
  [[nodiscard]] std::optional<double> of_like_names(const Names& names,
                                                    const std::string& name) const;

  std::map<std::pair<std::string, int>, Names> by_user_and_gang_;
  Names users_, names_;
  RunningMean all_;
};

}  // namespace mimus::scheduler
