// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Estimated speed of gangs on each GPU type of the cluster, alone: what a profiler has measured
/// (JobView::rates, and JobView::epochs for the current batch), otherwise the policy's estimate for
/// the requested gang and batch on the first GPUs of the type.
class RatesByType {
 public:
  /// Iterations/s; 0 if the job may not run there or does not fit. If there is no estimate, all
  /// types count as equally fast.
  [[nodiscard]] std::vector<double> of(const JobView& job, const PlanQuery& query);

 private:
  using Kind = std::tuple<std::string, int, std::int64_t, int>;  ///< model, gang, batch, type
  [[nodiscard]] std::optional<double> estimated(const JobView& job, int type,
                                                const PlanQuery& query);
  [[nodiscard]] const std::vector<std::vector<GpuId>>& gpus(const ClusterShape& shape);

  std::map<Kind, std::optional<double>> known_;
  std::vector<std::vector<GpuId>> gpus_;  ///< by type; empty before the first question
};

}  // namespace mimus::scheduler
