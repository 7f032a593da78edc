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

/// What is believed of the speed of gangs on each GPU type of the cluster, alone: what a profiler
/// has found (JobView::rates, and JobView::epochs for the present batch), else what the policy's
/// estimate believes of the gang and batch that the user asked for, on the first GPUs of the type.
class RatesByType {
 public:
  /// Iterations/s; 0 where the job may not run or does not fit. Where nothing is believed, all
  /// types are taken to be equally fast.
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
