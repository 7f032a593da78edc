// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/search_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/restart_factor.hpp"

namespace mimus::scheduler {
namespace {

/// The artifact adds this to every speedup, so that a job without GPUs has a finite cost.
constexpr double kFloor = 1e-3;

bool is_stopping(const JobView& job) {
  return job.state == JobState::stopping;
}

Cells cells_of(const JobView& job, const ClusterShape& shape) {
  std::map<std::int32_t, std::int32_t> by_node;
  if (!is_stopping(job)) {
    for (const Slot& slot : job.allocation.slots) {
      ++by_node[static_cast<std::int32_t>(shape.node_of(slot.gpu).value())];
    }
  }
  Cells cells;
  for (const auto& [node, gpus] : by_node) cells.push_back({node, gpus});
  return cells;
}

int fair_share(int gpus, std::size_t jobs) {
  const auto count = static_cast<int>(jobs);
  return std::max(1, (gpus + count - 1) / count);
}

/// Also limited by the number of replicas among which its batch can be divided.
int most_gpus_of(const Estimator& estimate, const JobView& job, const BatchLimits& limits,
                 int usable) {
  if (job.rigid) return job.requested_gang <= usable ? job.requested_gang : 0;
  const std::int64_t by_batch = limits.total_max / std::max<std::int64_t>(1, limits.per_gpu_min);
  const auto within = static_cast<int>(std::clamp<std::int64_t>(by_batch, 1, usable));
  const int tried = std::max(estimate.most_gpus(job, kOnlyType), job.fewest_gpus());
  const int most = std::min({within, tried, job.most_gpus()});
  return most < job.fewest_gpus() ? 0 : most;
}

}  // namespace

SearchJob::SearchJob(const PlanQuery& query, const PlanJob& job, const SearchRules& rules,
                     int usable)
    : job_(&job),
      most_gpus_(most_gpus_of(query.estimate, *job.view,
                              limits_within(job.view->model, query.cluster.shape().gpu_memory),
                              usable)),
      least_gpus_(job.view->fewest_gpus()),
      now_(cells_of(*job.view, query.cluster.shape())),
      now_hash_(hash_of(now_)),
      power_(rules.power),
      scale_(1.0 / query.cluster.shape().gpus_per_node),
      realloc_(restart_factor(*job.view, query.now, rules.restart)),
      nodes_told_apart_(query.estimate.nodes_told_apart()),
      speedup_(query.estimate, *job.view,
               limits_within(job.view->model, query.cluster.shape().gpu_memory),
               fair_share(usable, query.jobs.size())) {}

double SearchJob::part(double speedup) const {
  const double x = speedup * scale_ + kFloor;
  if (power_ == -1.0) return 1.0 / x;
  if (power_ == 0.0) return -std::log(x);
  return power_ < 0.0 ? std::pow(x, power_) : -std::pow(x, power_);
}

GeneWorth SearchJob::worth(std::span<const Cell> cells) {
  int gpus = 0;
  for (const Cell& cell : cells) gpus += cell.gpus;
  if (gpus == 0) return {part(0.0), 0.0};
  const auto nodes = static_cast<int>(cells.size());
  const auto row = static_cast<std::size_t>(std::min(nodes, nodes_told_apart_));
  const auto column = static_cast<std::size_t>(gpus);
  if (known_.size() <= row) known_.resize(row + 1);
  if (known_[row].size() <= column) known_[row].resize(column + 1);
  Known& known = known_[row][column];
  if (!known.is_known) {
    const double speedup = speedup_.at(nodes, gpus);
    known = {part(speedup), part(speedup * realloc_), speedup, true};
  }
  return {is_now(hash_of(cells)) ? known.kept : known.changed, known.speedup};
}

std::vector<int> usable_capacity(const PlanQuery& query) {
  std::vector<int> gpus(static_cast<std::size_t>(query.cluster.shape().nodes), 0);
  for (const GpuState& gpu : query.cluster.gpus()) {
    if (query.placer.usable(gpu.id)) ++gpus[gpu.node.index()];
  }
  return gpus;
}

SearchProblem::SearchProblem(const PlanQuery& query, const SearchRules& given,
                             std::vector<int> gpus)
    : rules(given), capacity(std::move(gpus)) {
  std::vector<const PlanJob*> order;
  for (const PlanJob& job : query.jobs) order.push_back(&job);
  const auto rank = [&](const PlanJob* job) {
    return std::pair(job->view->service(query.now), job->view->arrival);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const PlanJob* a, const PlanJob* b) { return rank(a) < rank(b); });
  jobs.reserve(order.size());
  const int usable = std::accumulate(capacity.begin(), capacity.end(), 0);
  for (const PlanJob* job : order) jobs.emplace_back(query, *job, rules, usable);
  // If the plan gave the job more than its quota, it would get nothing (see targets_of()).
  const Handout handout(query.admission, usable, query.cluster.shape().gpus());
  for (SearchJob& job : jobs) {
    while (job.most_gpus() > job.least_gpus() &&
           handout.would_give(job.job(), job.most_gpus()) == Handout::Answer::over_quota) {
      job.allow_one_less();
    }
  }
}

}  // namespace mimus::scheduler
