// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "base/random.hpp"
#include "scheduler/planner/planner.hpp"
#include "scheduler/planner/search/population.hpp"
#include "scheduler/planner/search/search_problem.hpp"

namespace mimus::scheduler {

/// PolluxSched (Qiao et al., OSDI'21, §4.2): in every round a genetic search for the allocations of
/// all jobs with the greatest power mean of their speedups, from estimates of throughput and noise
/// scale, with a penalty for every job that has to restart. A job gets at most twice the GPUs that
/// it has had, if the estimate says so. The search begins with the result of the previous one.
///
/// As in the artifact, a second objective keeps the genomes of the search apart, and the first one
/// decides in the end. Jobs to which admission refuses their GPUs wait.
class Search final : public Planner {
 public:
  struct Settings {
    Duration round = std::chrono::seconds(60);
    SearchRules rules;
    int population = 40;
    int generations = 100;
    int patience = 30;  ///< generations without a better genome after which the search ends
  };
  Search(Settings settings, std::uint64_t seed)
      : settings_(settings), random_(seed, "planner search") {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] bool values_nodes() const override { return true; }
  [[nodiscard]] std::unique_ptr<NodeValue> value_nodes(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override { return {.every = settings_.round}; }
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool spares_rigid() const override { return true; }
  [[nodiscard]] bool names_gpus() const override { return true; }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  [[nodiscard]] bool needs_estimate() const override { return true; }

 private:
  /// A genome of the last round, by job.
  using Memory = std::map<JobId, Cells>;

  [[nodiscard]] std::vector<Genome> first_genomes(SearchProblem& problem, GenePool& pool,
                                                  Breeder& breeder) const;
  [[nodiscard]] Population find(SearchProblem& problem, GenePool& pool);
  void remember(const Population& population, const SearchProblem& problem, const GenePool& pool);

  Settings settings_;
  RandomStream random_;
  std::vector<Memory> last_;
};

}  // namespace mimus::scheduler
