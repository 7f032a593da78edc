// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/spare_time.hpp"

#include <algorithm>
#include <numeric>

namespace mimus::scheduler {
namespace {

constexpr double kNoTime = 1e-9;

double time_left(const std::vector<double>& fractions) {
  return 1.0 - std::accumulate(fractions.begin(), fractions.end(), 0.0);
}

void keep_needed(const SharedTypes& shared, TimeFractions& fractions,
                 const std::vector<double>& needed) {
  for (std::size_t i = 0; i < shared.jobs.size(); ++i) {
    const double rate = rate_of(shared, fractions, i);
    if (rate <= needed[i]) continue;
    for (double& fraction : fractions[i]) fraction *= std::max(needed[i], 0.0) / rate;
  }
}

/// Each time round, one job more has all of the time, or no GPU is left.
void share_type(const SharedTypes& shared, TimeFractions& fractions, std::size_t type) {
  double left = shared.gpus[type];
  for (std::size_t i = 0; i < shared.jobs.size(); ++i) {
    left -= shared.jobs[i].gang * shared.jobs[i].count * fractions[i][type];
  }
  while (left > kNoTime) {
    int jobs = 0;
    double part = left;
    for (std::size_t i = 0; i < shared.jobs.size(); ++i) {
      const double time = time_left(fractions[i]);
      if (shared.jobs[i].rates[type] <= 0.0 || time <= kNoTime) continue;
      jobs += shared.jobs[i].count;
      part = std::min(part, time * shared.jobs[i].gang);
    }
    if (jobs == 0) return;
    part = std::min(part, left / jobs);
    for (std::size_t i = 0; i < shared.jobs.size(); ++i) {
      if (shared.jobs[i].rates[type] <= 0.0 || time_left(fractions[i]) <= kNoTime) continue;
      fractions[i][type] += part / shared.jobs[i].gang;
    }
    left -= part * jobs;
  }
}

}  // namespace

TimeFractions share_spare(const SharedTypes& shared, TimeFractions fractions,
                          const std::vector<double>& needed) {
  keep_needed(shared, fractions, needed);
  for (std::size_t type = 0; type < shared.gpus.size(); ++type) {
    share_type(shared, fractions, type);
  }
  return fractions;
}

TimeFractions same_time(const SharedTypes& shared) {
  const double gpus = std::accumulate(shared.gpus.begin(), shared.gpus.end(), 0.0);
  double jobs = 0.0;
  for (const auto& job : shared.jobs) jobs += job.count;
  std::vector<double> part;
  for (const double of_type : shared.gpus) {
    part.push_back(std::min(1.0, gpus / jobs) * of_type / gpus);
  }
  return TimeFractions(shared.jobs.size(), part);
}

}  // namespace mimus::scheduler
