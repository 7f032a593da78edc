// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/targets.hpp"

#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

/// The GPUs of the cluster as targets take them.
class Places {
 public:
  explicit Places(const PlanQuery& query)
      : per_node_(query.cluster.shape().gpus_per_node), taken_(query.cluster.gpus().size(), false) {
    for (const GpuState& gpu : query.cluster.gpus()) {
      taken_[gpu.id.index()] = !query.placer.usable(gpu.id);
    }
  }

  void keep(const Allocation& held) {
    for (const Slot& slot : held.slots) taken_[slot.gpu.index()] = true;
  }

  Allocation take(std::span<const Cell> cells) {
    Allocation place;
    for (const Cell& cell : cells) {
      int left = cell.gpus;
      for (int i = 0; i < per_node_ && left > 0; ++i) {
        const GpuId gpu{std::int64_t{cell.node} * per_node_ + i};
        if (taken_[gpu.index()]) continue;
        taken_[gpu.index()] = true;
        place.slots.push_back({gpu, {}});
        --left;
      }
    }
    return place;
  }

 private:
  int per_node_;
  std::vector<bool> taken_;
};

}  // namespace

Plan targets_of(const Genome& genome, const SearchProblem& problem, const GenePool& pool,
                const PlanQuery& query) {
  Places places(query);
  Handout handout(query);
  std::vector<std::size_t> starting;
  Plan plan;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    const Gene& gene = pool.gene(genome.genes[i]);
    const SearchJob& job = problem.jobs[i];
    if (gene.gpus == 0 || handout.give(job.job(), gene.gpus) != Handout::Answer::given) continue;
    if (!job.is_now(gene.hash)) {
      starting.push_back(i);
      continue;
    }
    places.keep(job.view().allocation);
    plan.targets.push_back({job.view().id, job.view().allocation});
  }
  for (const std::size_t i : starting) {
    plan.targets.push_back({problem.jobs[i].view().id, places.take(pool.cells(genome.genes[i]))});
  }
  return plan;
}

}  // namespace mimus::scheduler
