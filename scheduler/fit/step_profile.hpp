// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "scheduler/fit/throughput_fit.hpp"

namespace mimus::scheduler {

/// What has been measured so far: for each number of nodes, replicas and samples per GPU the mean
/// over all steps.
class StepProfile {
 public:
  /// `steps`: of which the sample holds the means.
  void add(const StepSample& sample, double steps);
  [[nodiscard]] bool empty() const { return means_.empty(); }
  [[nodiscard]] std::span<const StepSample> means() const { return means_; }
  /// True when there is a row that no model has been fitted to, or one whose mean step has moved by
  /// more than 1 % since.
  [[nodiscard]] bool has_news() const { return news_; }
  /// The model that fits all rows, see fit_throughput(). InternalError while it is empty.
  [[nodiscard]] ThroughputModel fit();

 private:
  std::vector<StepSample> means_;
  std::vector<double> steps_;        ///< by row
  std::vector<double> fitted_step_;  ///< by row, mean step at the last fit [s]; 0 before it
  bool news_ = false;
};

}  // namespace mimus::scheduler
