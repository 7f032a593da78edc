// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/random.hpp"
#include "scheduler/planner/search/genome.hpp"
#include "scheduler/planner/search/search_problem.hpp"

namespace mimus::scheduler {

/// Makes genomes out of genomes, with the operators of Pollux's artifact (Qiao et al., OSDI'21):
/// crossover in one point over the jobs; mutation, by which some jobs go back to what they have
/// now, some lose GPUs, and free GPUs are given to jobs; repair in the order of the jobs, so that
/// where a node is given away twice those with more attained service go short.
///
/// Two things are done otherwise. Free GPUs are given out after the repair, when it is known which
/// are, and to the better one of a few jobs that are drawn. How many jobs a mutation changes does
/// not grow with their number, so that a child of a good genome stays near it on large clusters.
class Breeder {
 public:
  /// The arguments must outlive the breeder.
  Breeder(SearchProblem& problem, GenePool& pool, RandomStream& random);

  /// Everybody has what it has now, repaired.
  [[nodiscard]] Genome present();
  /// `genes` made possible, without a mutation.
  [[nodiscard]] Genome repaired(const std::vector<GeneId>& genes);
  /// A repaired and mutated child that has the genes of jobs before `cut` from `a`, the others from
  /// `b`.
  [[nodiscard]] Genome child(const Genome& a, const Genome& b, std::size_t cut);
  /// The same genome with all free GPUs given to jobs that gain by them.
  [[nodiscard]] Genome filled(const Genome& genome);

 private:
  /// A way to use free GPUs of a node.
  struct Offer {
    std::size_t job;
    Cells cells;
    std::uint64_t hash;
    double gain;  ///< of cost
  };

  void clear();
  void mark_mutations();
  void take(std::size_t job, GeneId gene);
  [[nodiscard]] GeneId mutated(std::size_t job, GeneId gene);
  [[nodiscard]] GeneId cut_to_room(std::size_t job, GeneId gene);
  void occupy(std::size_t job, GeneId gene);
  void vacate(std::size_t job, GeneId gene);
  void give_out(std::size_t most_nodes);
  void give_out_on(std::size_t node);
  [[nodiscard]] std::optional<Offer> draw_offer(std::size_t node);
  [[nodiscard]] std::size_t draw_job(std::size_t node);
  [[nodiscard]] bool may_span(std::size_t job, const Cells& cells) const;
  [[nodiscard]] Genome finish();

  SearchProblem& problem_;
  GenePool& pool_;
  RandomStream& random_;
  std::vector<GeneId> present_;  ///< by job
  // The genome in the making.
  std::vector<GeneId> genes_;
  std::vector<int> left_;                     ///< free GPUs by node
  std::vector<std::int32_t> spanning_;        ///< by node, the job of several nodes on it or -1
  std::vector<std::vector<std::size_t>> on_;  ///< by node, who has GPUs of it
  enum class Mark : char { none, reset, hit };
  std::vector<Mark> marks_;  ///< by job
  std::vector<std::size_t> marked_;
  std::vector<std::size_t> free_nodes_;
  Cells cells_;  ///< scratch
};

}  // namespace mimus::scheduler
