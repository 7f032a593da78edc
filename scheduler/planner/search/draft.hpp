// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/planner/search/genome.hpp"
#include "scheduler/planner/search/search_problem.hpp"

namespace mimus::scheduler {

/// A genome under construction, which is valid at all times: what each job has, and what is free.
class Draft {
 public:
  /// The arguments must outlive the draft.
  Draft(SearchProblem& problem, GenePool& pool);

  /// No job has GPUs.
  void clear();
  /// The next job, in the order of the problem, gets what earlier jobs leave of the gene: if
  /// interference is avoided, nothing on a node with another job of several nodes; no more than is
  /// free, and no more than the job may have. A job that is left with less than its minimum gets
  /// nothing. This is the repair of Pollux's artifact, which uses the same order.
  void add(GeneId gene);
  /// A job that was added gets these cells, which must be free for it, in place of what it has.
  void change(std::size_t job, const Cells& cells, GeneWorth worth);
  [[nodiscard]] Genome genome() const;

  [[nodiscard]] std::size_t jobs() const { return genes_.size(); }
  [[nodiscard]] std::size_t nodes() const { return left_.size(); }
  [[nodiscard]] const Gene& gene(std::size_t job) const { return pool_.gene(genes_[job]); }
  [[nodiscard]] std::span<const Cell> cells(std::size_t job) const {
    return pool_.cells(genes_[job]);
  }
  [[nodiscard]] int left(std::size_t node) const { return left_[node]; }
  /// The jobs with GPUs of the node.
  [[nodiscard]] const std::vector<std::size_t>& on(std::size_t node) const { return on_[node]; }
  /// Whether the job may have GPUs of this node and of others.
  [[nodiscard]] bool may_span(std::size_t job, std::size_t node) const;
  /// Whether the job may be on exactly these nodes.
  [[nodiscard]] bool may_be_on(std::size_t job, const Cells& cells) const;

 private:
  [[nodiscard]] GeneId cut_to_room(std::size_t job, GeneId gene);
  void occupy(std::size_t job);
  void vacate(std::size_t job);

  SearchProblem& problem_;
  GenePool& pool_;
  std::vector<GeneId> genes_;
  std::vector<int> left_;               ///< free GPUs by node
  std::vector<std::int32_t> spanning_;  ///< by node, the last job of several nodes on it or -1
  std::vector<std::vector<std::size_t>> on_;  ///< by node
  Cells cells_;                               ///< scratch
};

}  // namespace mimus::scheduler
