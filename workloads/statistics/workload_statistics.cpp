// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/statistics/workload_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::workloads {

std::optional<double> WorkloadStatistics::mean_demand() const {
  if (span() <= Duration{}) return std::nullopt;
  return gpu_seconds / to_seconds(span());
}

std::optional<double> WorkloadStatistics::offered_load(int gpus) const {
  const auto demand = mean_demand();
  return demand ? std::optional<double>(*demand / gpus) : std::nullopt;
}

double top_share(const std::vector<JobClass>& classes, double fraction) {
  if (classes.empty()) return 0.0;
  const auto wanted = static_cast<std::size_t>(fraction * static_cast<double>(classes.size()));
  const std::size_t top = std::max<std::size_t>(1, wanted);
  std::int64_t jobs = 0, of_top = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    jobs += classes[i].jobs;
    if (i < top) of_top += classes[i].jobs;
  }
  return static_cast<double>(of_top) / static_cast<double>(jobs);
}

}  // namespace mimus::workloads
