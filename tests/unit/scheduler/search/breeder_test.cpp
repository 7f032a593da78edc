// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/breeder.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "asked.hpp"

namespace mimus::scheduler::test {
namespace {

Cells cells_of(const GenePool& pool, const Genome& genome, std::size_t job) {
  const auto cells = pool.cells(genome.genes[job]);
  return {cells.begin(), cells.end()};
}

/// What is wrong with a genome, or "" if it is possible.
std::string fault(SearchProblem& problem, const GenePool& pool, const Genome& genome) {
  std::vector<int> used(problem.capacity.size(), 0);
  std::vector<int> spanning(problem.capacity.size(), 0);
  double cost = 0.0;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    const Cells cells = cells_of(pool, genome, i);
    int gpus = 0;
    for (const Cell& cell : cells) {
      const auto node = static_cast<std::size_t>(cell.node);
      if (cell.gpus < 1) return "an empty cell";
      used[node] += cell.gpus;
      gpus += cell.gpus;
      spanning[node] += cells.size() > 1;
      if (used[node] > problem.capacity[node]) return "a node given away twice";
      if (problem.rules.avoid_interference && spanning[node] > 1) return "two spanning jobs";
    }
    if (!std::is_sorted(cells.begin(), cells.end(),
                        [](const Cell& a, const Cell& b) { return a.node < b.node; })) {
      return "cells out of order";
    }
    const SearchJob& job = problem.jobs[i];
    if (gpus > job.most_gpus() || (gpus > 0 && gpus < job.least_gpus())) return "a wrong number";
    if (cells.size() > static_cast<std::size_t>(problem.rules.most_nodes)) return "many nodes";
    cost += problem.jobs[i].worth(cells).cost;
  }
  return std::abs(cost - genome.cost.value()) < 1e-9 * std::abs(cost) ? "" : "a wrong cost";
}

/// Twelve jobs on six nodes of four GPUs. One is rigid, some may have only a few GPUs, some run.
struct Crowd : Asked {
  Crowd() : Asked(6, 4, 5000) {
    for (int i = 0; i < 12; ++i) add(100.0 * i);
    for (const int i : {2, 5, 7}) estimate.most[JobId{i}] = 1 + i % 3;
    views[3]->rigid = true;
    views[3]->requested_gang = 6;
    run(*views[0], {0, 1, 2, 3, 4, 5});
    run(*views[1], {8, 9});
    run(*views[4], {12, 16, 17});
  }
};

class Children : public ::testing::TestWithParam<bool> {};

TEST_P(Children, ArePossible) {
  Crowd crowd;
  SearchRules rules;
  rules.avoid_interference = GetParam();
  rules.most_nodes = 3;
  SearchProblem problem(crowd.query(), rules);
  GenePool pool;
  RandomStream random(3, "children");
  Breeder breeder(problem, pool, random);
  std::vector<Genome> genomes{breeder.present()};
  genomes.push_back(breeder.filled(genomes.front()));
  for (int i = 0; i < 3000; ++i) {
    const auto draw = [&] {
      return genomes[static_cast<std::size_t>(
          random.below(static_cast<std::int64_t>(genomes.size())))];
    };
    const Genome a = draw();
    const Genome b = draw();
    genomes.push_back(breeder.child(a, b, static_cast<std::size_t>(random.below(12))));
    ASSERT_EQ(fault(problem, pool, genomes.back()), "") << "child " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutInterference, Children, ::testing::Bool());

// Both need three of a node's four GPUs. The second one has more service.
TEST(Repair, CutsThoseWithMoreService) {
  Asked asked(1, 4, 100);
  asked.add();
  asked.run(asked.add(), {0});
  SearchProblem problem(asked.query(), {});
  GenePool pool;
  RandomStream random(1, "repair");
  Breeder breeder(problem, pool, random);
  const Cells three{{0, 3}};
  const GeneId gene = pool.add(three, {});

  const Genome repaired = breeder.repaired({gene, gene});

  EXPECT_EQ(cells_of(pool, repaired, 0), three);
  EXPECT_EQ(cells_of(pool, repaired, 1), (Cells{{0, 1}}));
}

// The second job of two nodes loses the node that it shares with the first one. It is then on a
// single node, where other jobs of several nodes may be.
TEST(Repair, KeepsJobsOfSeveralNodesApart) {
  Asked asked(3, 4, 100);
  for (int i = 0; i < 3; ++i) asked.add(i);
  SearchProblem problem(asked.query(), {});
  GenePool pool;
  RandomStream random(1, "repair");
  Breeder breeder(problem, pool, random);
  const Cells first{{0, 1}, {1, 1}};
  const Cells second{{1, 1}, {2, 1}};
  const GeneId none = pool.add(Cells{}, {});

  const Genome repaired = breeder.repaired({pool.add(first, {}), pool.add(second, {}), none});

  EXPECT_EQ(cells_of(pool, repaired, 0), first);
  EXPECT_EQ(cells_of(pool, repaired, 1), (Cells{{2, 1}}));
}

TEST(Filled, GivesOutWhateverGains) {
  Asked asked(2, 4, 1e9);
  asked.add();
  SearchProblem problem(asked.query(), {});
  GenePool pool;
  RandomStream random(1, "filled");
  Breeder breeder(problem, pool, random);
  Genome genome = breeder.present();
  for (int i = 0; i < 50; ++i) genome = breeder.filled(genome);

  EXPECT_EQ(cells_of(pool, genome, 0), (Cells{{0, 4}, {1, 4}}));
}

}  // namespace
}  // namespace mimus::scheduler::test
