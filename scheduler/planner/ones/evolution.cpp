// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/ones/evolution.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace mimus::scheduler {

Evolution::Evolution(std::span<const OnesJob> jobs, int gpus, RandomStream& random)
    : jobs_(jobs), gpus_(gpus), random_(random) {
  std::vector<std::pair<double, std::size_t>> services;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!jobs[i].is_new) services.emplace_back(jobs[i].remaining(1), i);
  }
  std::sort(services.begin(), services.end());
  for (const auto& [service, job] : services) by_service_.push_back(job);
}

void Evolution::raise(Schedule& schedule, std::size_t job, int to, int& free) const {
  const int more = std::min(to - schedule[job], free);
  if (more <= 0 || schedule[job] + more < jobs_[job].least) return;
  schedule[job] += more;
  free -= more;
}

Schedule Evolution::refreshed(Schedule schedule) const {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    schedule[i] = std::min(schedule[i], jobs_[i].limit);
    if (schedule[i] < jobs_[i].least) schedule[i] = 0;
  }
  int free = gpus_ - std::accumulate(schedule.begin(), schedule.end(), 0);
  for (std::size_t i = 0; free > 0 && i < jobs_.size(); ++i) {
    if (jobs_[i].is_new) raise(schedule, i, jobs_[i].least, free);
  }
  for (const std::size_t i : by_service_) raise(schedule, i, jobs_[i].limit, free);
  for (const std::size_t i : by_service_) raise(schedule, i, jobs_[i].most, free);
  return schedule;
}

std::vector<int> Evolution::laid_out(const Schedule& schedule) const {
  std::vector<int> genes;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    genes.insert(genes.end(), static_cast<std::size_t>(schedule[i]), static_cast<int>(i));
  }
  genes.resize(static_cast<std::size_t>(gpus_), -1);
  return genes;
}

std::pair<Schedule, Schedule> Evolution::crossed(const Schedule& a, const Schedule& b) {
  std::vector<int> first = laid_out(a);
  std::vector<int> second = laid_out(b);
  std::pair<Schedule, Schedule> children{Schedule(jobs_.size()), Schedule(jobs_.size())};
  for (std::size_t gpu = 0; gpu < first.size(); ++gpu) {
    if (random_.uniform() < 0.5) std::swap(first[gpu], second[gpu]);
    if (first[gpu] >= 0) ++children.first[static_cast<std::size_t>(first[gpu])];
    if (second[gpu] >= 0) ++children.second[static_cast<std::size_t>(second[gpu])];
  }
  return {refreshed(std::move(children.first)), refreshed(std::move(children.second))};
}

Schedule Evolution::mutated(Schedule schedule, double probability) {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].mutates && random_.uniform() < probability) schedule[i] = 0;
  }
  return refreshed(std::move(schedule));
}

double Evolution::score(const Schedule& schedule) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (schedule[i] > 0) sum += jobs_[i].remaining(schedule[i]);
  }
  return sum;
}

std::vector<Schedule> Evolution::next(const std::vector<Schedule>& generation,
                                      std::size_t population, double mutation) {
  std::vector<Schedule> all;
  for (const Schedule& schedule : generation) all.push_back(refreshed(schedule));
  const std::size_t parents = all.size();
  const auto below = [&](std::size_t bound) {
    return static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(bound)));
  };
  for (std::size_t i = 0; parents > 1 && i < population / 2; ++i) {
    const std::size_t first = below(parents);
    const std::size_t second = (first + 1 + below(parents - 1)) % parents;
    auto children = crossed(all[first], all[second]);
    all.push_back(std::move(children.first));
    all.push_back(std::move(children.second));
  }
  for (std::size_t i = 0; i < parents; ++i) all.push_back(mutated(all[i], mutation));
  std::vector<std::pair<double, const Schedule*>> scored;
  for (const Schedule& schedule : all) scored.emplace_back(score(schedule), &schedule);
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::set<Schedule> seen;
  std::vector<Schedule> best;
  for (const auto& [score, schedule] : scored) {
    if (best.size() < population && seen.insert(*schedule).second) best.push_back(*schedule);
  }
  return best;
}

}  // namespace mimus::scheduler
