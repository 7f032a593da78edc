// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/first_come.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace mimus::scheduler {
namespace {

std::optional<std::size_t> chosen_type(const SharedTypes::Jobs& job,
                                       const std::vector<double>& gpus_left) {
  std::optional<std::size_t> best;
  for (std::size_t type = 0; type < gpus_left.size(); ++type) {
    if (job.rates[type] <= 0.0 || job.gang > gpus_left[type]) continue;
    if (!best || job.rates[type] > job.rates[*best]) best = type;
  }
  return best;
}

}  // namespace

TimeFractions FirstCome::fractions(std::span<const PlanJob> jobs, const SharedTypes& shared) {
  const std::map<JobId, std::size_t> held = std::exchange(type_of_, {});
  std::vector<double> gpus_left = shared.gpus;
  TimeFractions fractions(jobs.size(), std::vector<double>(shared.gpus.size(), 0.0));
  const auto give = [&](std::size_t i, std::size_t type) {
    fractions[i][type] = 1.0;
    gpus_left[type] -= shared.jobs[i].gang;
    type_of_.emplace(jobs[i].view->id, type);
  };
  std::vector<std::size_t> queue;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto type = held.find(jobs[i].view->id);
    if (keeps_types_ && type != held.end()) {
      give(i, type->second);
    } else {
      queue.push_back(i);
    }
  }
  for (const std::size_t i : queue) {
    const auto type = chosen_type(shared.jobs[i], gpus_left);
    if (!type) break;
    give(i, *type);
  }
  return fractions;
}

}  // namespace mimus::scheduler
