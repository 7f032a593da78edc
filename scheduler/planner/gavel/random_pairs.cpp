// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/random_pairs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace mimus::scheduler {
namespace {

/// What the two make in the time in which they would make 1 alone, summed over all types as in the
/// artifact; 0 where a speed is not known.
double gain(const SharedTypes& shared, const SharedTypes::Pair& pair) {
  double sum = 0.0;
  for (std::size_t type = 0; type < shared.gpus.size(); ++type) {
    for (std::size_t member = 0; member < pair.jobs.size(); ++member) {
      const double beside = pair.rates[member][type];
      if (beside <= 0.0) return 0.0;
      sum += beside / shared.jobs[pair.jobs[member]].rates[type];
    }
  }
  return sum;
}

/// The same time for each of `units` on each type, in proportion to its GPUs.
std::vector<double> equal_time(const SharedTypes& shared, int units, int gang) {
  std::vector<double> time;
  for (const double gpus : shared.gpus) time.push_back(gpus / units / gang);
  const double sum = std::accumulate(time.begin(), time.end(), 0.0);
  for (double& of_type : time) of_type /= std::max(sum, 1.0);
  return time;
}

}  // namespace

TimeFractions RandomPairs::fractions(std::span<const PlanJob> jobs, const SharedTypes& shared) {
  separate(jobs, shared);
  double requested = 0.0;
  for (const auto& job : shared.jobs) requested += job.gang;
  const bool packs = requested > std::accumulate(shared.gpus.begin(), shared.gpus.end(), 0.0);
  if (packs) pair_up(jobs);
  const int all = static_cast<int>(jobs.size());
  const int units = packs ? all - static_cast<int>(partner_of_.size() / 2) : all;
  TimeFractions fractions(shared.jobs.size() + shared.pairs.size(),
                          std::vector<double>(shared.gpus.size(), 0.0));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (packs && partner_of_.contains(jobs[i].view->id)) continue;
    fractions[i] = equal_time(shared, units, shared.jobs[i].gang);
  }
  for (std::size_t i = 0; packs && i < shared.pairs.size(); ++i) {
    const auto& [a, b] = shared.pairs[i].jobs;
    const auto partner = partner_of_.find(jobs[a].view->id);
    if (partner == partner_of_.end() || partner->second != jobs[b].view->id) continue;
    fractions[jobs.size() + i] = equal_time(shared, units, shared.jobs[a].gang);
  }
  return fractions;
}

void RandomPairs::separate(std::span<const PlanJob> jobs, const SharedTypes& shared) {
  std::map<JobId, JobId> kept;
  for (const SharedTypes::Pair& pair : shared.pairs) {
    const JobId a = jobs[pair.jobs[0]].view->id;
    const JobId b = jobs[pair.jobs[1]].view->id;
    const auto partner = partner_of_.find(a);
    if (partner == partner_of_.end() || partner->second != b || gain(shared, pair) < 1.0) continue;
    kept.emplace(a, b);
    kept.emplace(b, a);
  }
  partner_of_ = std::move(kept);
}

/// As many draws of two jobs as there are jobs without a partner.
void RandomPairs::pair_up(std::span<const PlanJob> jobs) {
  std::vector<const JobView*> single;
  for (const PlanJob& job : jobs) {
    if (!partner_of_.contains(job.view->id)) single.push_back(job.view);
  }
  for (std::size_t draws = single.size(); draws > 0 && single.size() > 1; --draws) {
    const auto first = static_cast<std::size_t>(random_.below(std::ssize(single)));
    auto second = static_cast<std::size_t>(random_.below(std::ssize(single) - 1));
    if (second >= first) ++second;
    if (single[first]->requested_gang != single[second]->requested_gang) continue;
    partner_of_.emplace(single[first]->id, single[second]->id);
    partner_of_.emplace(single[second]->id, single[first]->id);
    single.erase(single.begin() + static_cast<std::ptrdiff_t>(std::max(first, second)));
    single.erase(single.begin() + static_cast<std::ptrdiff_t>(std::min(first, second)));
  }
}

}  // namespace mimus::scheduler
