// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/search_value.hpp"

#include <algorithm>
#include <utility>

namespace mimus::scheduler {

SearchValue::SearchValue(const PlanQuery& query, const SearchRules& rules, Find find)
    : query_(query), rules_(rules), find_(std::move(find)) {}

double SearchValue::now() const {
  const SearchProblem problem(query_, rules_);
  double sum = 0.0;
  for (const SearchJob& job : problem.jobs) sum += speedup(job.view(), job.now());
  return sum;
}

/// All GPUs of the nodes that are up count, because nodes that sleep now would be awake.
double SearchValue::of(std::span<const NodeId> nodes) {
  std::vector<int> gpus(static_cast<std::size_t>(query_.cluster.shape().nodes), 0);
  for (const GpuState& gpu : query_.cluster.gpus()) {
    if (gpu.up && std::ranges::find(nodes, gpu.node) != nodes.end()) ++gpus[gpu.node.index()];
  }
  SearchProblem problem(query_, rules_, std::move(gpus));
  GenePool pool;
  const Genome best = find_(problem, pool);
  double sum = 0.0;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    sum += speedup(problem.jobs[i].view(), pool.cells(best.genes[i]));
  }
  return sum;
}

int SearchValue::least_gpus() const {
  int most = 1;
  for (const PlanJob& job : query_.jobs) most = std::max(most, job.view->fewest_gpus());
  return most;
}

double SearchValue::speedup(const JobView& job, std::span<const Cell> cells) const {
  int gpus = 0;
  for (const Cell& cell : cells) gpus += cell.gpus;
  if (gpus == 0) return 0.0;
  constexpr int kOneGpu = 1;
  const auto limits = limits_within(job.model, query_.cluster.shape().gpu_memory);
  return Speedup(query_.estimate, job, limits, kOneGpu).at(static_cast<int>(cells.size()), gpus);
}

}  // namespace mimus::scheduler
