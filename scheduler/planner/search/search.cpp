// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/search.hpp"

#include <utility>

#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/search/search_value.hpp"
#include "scheduler/planner/search/targets.hpp"

namespace mimus::scheduler {

/// The present state and the result of the last search. Jobs that have left are dropped, and new
/// jobs have nothing.
std::vector<Genome> Search::first_genomes(SearchProblem& problem, GenePool& pool,
                                          Breeder& breeder) const {
  std::vector<Genome> genomes{breeder.present()};
  genomes.push_back(breeder.filled(genomes.front()));
  std::vector<GeneId> genes(problem.jobs.size());
  for (const Memory& memory : last_) {
    for (std::size_t i = 0; i < genes.size(); ++i) {
      SearchJob& job = problem.jobs[i];
      const auto found = memory.find(job.view().id);
      const Cells cells = found == memory.end() ? Cells{} : found->second;
      genes[i] = pool.add(cells, job.worth(cells));
    }
    genomes.push_back(breeder.repaired(genes));
  }
  return genomes;
}

void Search::remember(const Population& population, const SearchProblem& problem,
                      const GenePool& pool) {
  last_.clear();
  for (const Genome& genome : population.genomes()) {
    Memory& memory = last_.emplace_back();
    for (std::size_t i = 0; i < genome.genes.size(); ++i) {
      const auto cells = pool.cells(genome.genes[i]);
      if (!cells.empty()) memory[problem.jobs[i].view().id] = {cells.begin(), cells.end()};
    }
  }
}

Population Search::find(SearchProblem& problem, GenePool& pool) {
  Breeder breeder(problem, pool, random_);
  Population population(static_cast<std::size_t>(settings_.population));
  population.admit(first_genomes(problem, pool, breeder));
  int last_better = 0;
  for (int i = 0; i < settings_.generations && i - last_better < settings_.patience; ++i) {
    const CostSum before = population.best().cost;
    population.admit(population.children(breeder, random_));
    if (population.best().cost < before) last_better = i;
  }
  return population;
}

Plan Search::plan(const PlanQuery& query) {
  if (query.jobs.empty()) return {};
  SearchProblem problem(query, settings_.rules);
  GenePool pool;
  const Population population = find(problem, pool);
  remember(population, problem, pool);
  return targets_of(population.best(), problem, pool, query);
}

std::unique_ptr<NodeValue> Search::value_nodes(const PlanQuery& query) {
  return std::make_unique<SearchValue>(
      query, settings_.rules,
      [this](SearchProblem& problem, GenePool& pool) { return find(problem, pool).best(); });
}

}  // namespace mimus::scheduler
