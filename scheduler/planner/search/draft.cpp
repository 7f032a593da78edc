// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/draft.hpp"

#include <algorithm>

namespace mimus::scheduler {

Draft::Draft(SearchProblem& problem, GenePool& pool)
    : problem_(problem), pool_(pool), on_(problem.capacity.size()) {
  clear();
}

void Draft::clear() {
  genes_.clear();
  left_ = problem_.capacity;
  spanning_.assign(left_.size(), -1);
  for (auto& jobs : on_) jobs.clear();
}

void Draft::add(GeneId gene) {
  const std::size_t job = genes_.size();
  genes_.push_back(cut_to_room(job, gene));
  occupy(job);
}

void Draft::change(std::size_t job, const Cells& cells, GeneWorth worth) {
  vacate(job);
  genes_[job] = pool_.add(cells, worth);
  occupy(job);
}

Genome Draft::genome() const {
  Genome genome;
  genome.genes = genes_;
  double speedups = 0.0;
  for (std::size_t job = 0; job < genes_.size(); ++job) {
    const Gene& gene = pool_.gene(genes_[job]);
    genome.cost.add(gene.worth.cost);
    speedups += gene.worth.speedup;
    // Depends on the job, too, because the genes of two jobs may be swapped.
    genome.hash += (gene.hash ^ (job * 0x9e3779b97f4a7c15ULL)) * 0xd6e8feb86659fd93ULL;
  }
  genome.cost.settle();
  int in_use = 0;  // GPUs
  for (std::size_t node = 0; node < left_.size(); ++node) {
    if (!on_[node].empty()) in_use += problem_.capacity[node];
  }
  genome.utility = speedups / std::max(in_use, 1);
  return genome;
}

bool Draft::may_span(std::size_t job, std::size_t node) const {
  const std::int32_t other = spanning_[node];
  return !problem_.rules.avoid_interference || other < 0 || other == static_cast<std::int32_t>(job);
}

bool Draft::may_be_on(std::size_t job, const Cells& cells) const {
  if (cells.size() > static_cast<std::size_t>(problem_.rules.most_nodes)) return false;
  return cells.size() <= 1 || std::all_of(cells.begin(), cells.end(), [&](const Cell& cell) {
           return may_span(job, static_cast<std::size_t>(cell.node));
         });
}

GeneId Draft::cut_to_room(std::size_t job, GeneId id) {
  const auto cells = pool_.cells(id);
  const bool spans = cells.size() > 1;
  const auto room = [&](const Cell& cell) {
    const auto node = static_cast<std::size_t>(cell.node);
    return spans && !may_span(job, node) ? 0 : std::min(cell.gpus, left_[node]);
  };
  SearchJob& owner = problem_.jobs[job];
  int gpus = pool_.gene(id).gpus;
  const bool may_have = gpus <= owner.most_gpus() && (gpus == 0 || gpus >= owner.least_gpus());
  if (may_have && std::all_of(cells.begin(), cells.end(),
                              [&](const Cell& cell) { return room(cell) == cell.gpus; })) {
    return id;
  }
  cells_.clear();
  gpus = 0;
  for (const Cell& cell : cells) {
    const int given = std::min(room(cell), owner.most_gpus() - gpus);
    if (given <= 0) continue;
    cells_.push_back({cell.node, given});
    gpus += given;
  }
  if (gpus < owner.least_gpus()) cells_.clear();
  return pool_.add(cells_, owner.worth(cells_));
}

void Draft::occupy(std::size_t job) {
  const auto cells = pool_.cells(genes_[job]);
  for (const Cell& cell : cells) {
    const auto node = static_cast<std::size_t>(cell.node);
    left_[node] -= cell.gpus;
    on_[node].push_back(job);
    if (cells.size() > 1) spanning_[node] = static_cast<std::int32_t>(job);
  }
}

void Draft::vacate(std::size_t job) {
  for (const Cell& cell : pool_.cells(genes_[job])) {
    const auto node = static_cast<std::size_t>(cell.node);
    left_[node] += cell.gpus;
    std::erase(on_[node], job);
    if (spanning_[node] == static_cast<std::int32_t>(job)) spanning_[node] = -1;
  }
}

}  // namespace mimus::scheduler
