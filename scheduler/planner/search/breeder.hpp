// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/random.hpp"
#include "scheduler/planner/search/draft.hpp"
#include "scheduler/planner/search/growth.hpp"

namespace mimus::scheduler {

/// Makes genomes from genomes, with the operators of Pollux's artifact (Qiao et al., OSDI'21):
/// crossover at one point over the jobs; mutation, by which some jobs return to what they have now,
/// some lose GPUs, and free GPUs are given to jobs; repair in the order of the jobs, so that jobs
/// with more attained service lose GPUs of a node that is assigned twice.
///
/// There are two differences. Free GPUs are assigned after the repair, when it is known which are
/// free. And the number of jobs that a mutation changes does not grow with the number of jobs, so
/// that a child of a good genome stays near it on large clusters.
class Breeder {
 public:
  /// The arguments must outlive the breeder.
  Breeder(SearchProblem& problem, GenePool& pool, RandomStream& random);

  /// Every job has what it has now, as far as this is possible.
  [[nodiscard]] Genome present();
  /// `genes`, by job, repaired without a mutation.
  [[nodiscard]] Genome repaired(const std::vector<GeneId>& genes);
  /// A mutated and repaired child that has the genes of jobs before `cut` from `a`, the others from
  /// `b`.
  [[nodiscard]] Genome child(const Genome& a, const Genome& b, std::size_t cut);
  /// The same genome with all free GPUs given to jobs that gain by them.
  [[nodiscard]] Genome filled(const Genome& genome);

 private:
  void draw_mutations();
  [[nodiscard]] GeneId mutated(std::size_t job, GeneId gene);
  [[nodiscard]] GeneId robbed(std::size_t job, GeneId gene);

  SearchProblem& problem_;
  GenePool& pool_;
  RandomStream& random_;
  Draft draft_;
  Growth growth_;
  std::vector<GeneId> present_;  ///< by job
  enum class Mutation : char { none, reset, rob };
  std::vector<Mutation> mutations_;  ///< by job
  std::vector<std::size_t> mutants_;
  Cells cells_;  ///< scratch
};

}  // namespace mimus::scheduler
