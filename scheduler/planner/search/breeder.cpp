// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/breeder.hpp"

#include <algorithm>
#include <utility>

namespace mimus::scheduler {
namespace {

// A child has 0 to twice these jobs sent back to what they have, and as many robbed of GPUs.
constexpr std::int64_t kResets = 2;
constexpr std::int64_t kHits = 1;
/// Nodes with free GPUs that a child gives out; drawn when there are more.
constexpr std::size_t kNodesGivenOut = 16;
/// Uses of a node's GPUs that are drawn, of which the best is taken if it gains.
constexpr int kOffers = 3;

}  // namespace

Breeder::Breeder(SearchProblem& problem, GenePool& pool, RandomStream& random)
    : problem_(problem),
      pool_(pool),
      random_(random),
      on_(problem.capacity.size()),
      marks_(problem.jobs.size(), Mark::none) {
  for (SearchJob& job : problem_.jobs)
    present_.push_back(pool_.add(job.now(), job.cost(job.now())));
}

void Breeder::clear() {
  genes_.clear();
  left_ = problem_.capacity;
  spanning_.assign(left_.size(), -1);
  for (auto& jobs : on_) jobs.clear();
}

Genome Breeder::present() {
  return repaired(present_);
}

Genome Breeder::repaired(const std::vector<GeneId>& genes) {
  clear();
  for (std::size_t job = 0; job < genes.size(); ++job) take(job, genes[job]);
  return finish();
}

Genome Breeder::child(const Genome& a, const Genome& b, std::size_t cut) {
  clear();
  mark_mutations();
  for (std::size_t job = 0; job < a.genes.size(); ++job) {
    const GeneId inherited = (job < cut ? a : b).genes[job];
    take(job, marks_[job] == Mark::none ? inherited : mutated(job, inherited));
  }
  for (const std::size_t job : marked_) marks_[job] = Mark::none;
  give_out(kNodesGivenOut);
  return finish();
}

Genome Breeder::filled(const Genome& genome) {
  clear();
  for (std::size_t job = 0; job < genome.genes.size(); ++job) take(job, genome.genes[job]);
  give_out(left_.size());
  return finish();
}

void Breeder::mark_mutations() {
  marked_.clear();
  const auto jobs = static_cast<std::int64_t>(problem_.jobs.size());
  const auto mark = [&](std::int64_t mean, Mark as) {
    for (std::int64_t i = random_.below(2 * mean + 1); i > 0; --i) {
      marked_.push_back(static_cast<std::size_t>(random_.below(jobs)));
      marks_[marked_.back()] = as;
    }
  };
  mark(kResets, Mark::reset);
  mark(kHits, Mark::hit);
}

/// What is left of the gene fits beside the jobs before it.
void Breeder::take(std::size_t job, GeneId gene) {
  const GeneId fitting = cut_to_room(job, gene);
  genes_.push_back(fitting);
  occupy(job, fitting);
}

/// Back to what it has now, or without some GPUs of one node or all of them.
GeneId Breeder::mutated(std::size_t job, GeneId gene) {
  if (marks_[job] == Mark::reset) return present_[job];
  const auto cells = pool_.cells(gene);
  if (cells.empty()) return gene;
  cells_.assign(cells.begin(), cells.end());
  const auto at = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(cells_.size())));
  const auto less = static_cast<std::int32_t>(1 + random_.below(cells_[at].gpus));
  cells_[at].gpus -= less;
  if (cells_[at].gpus == 0 || random_.below(2) == 0) {
    cells_.erase(cells_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return pool_.add(cells_, problem_.jobs[job].cost(cells_));
}

GeneId Breeder::cut_to_room(std::size_t job, GeneId id) {
  const auto cells = pool_.cells(id);
  const bool spans = problem_.rules.avoid_interference && cells.size() > 1;
  const auto room = [&](const Cell& cell) {
    const auto node = static_cast<std::size_t>(cell.node);
    return spans && spanning_[node] >= 0 ? 0 : std::min(cell.gpus, left_[node]);
  };
  const bool fits = std::all_of(cells.begin(), cells.end(),
                                [&](const Cell& cell) { return room(cell) == cell.gpus; });
  SearchJob& owner = problem_.jobs[job];
  int gpus = pool_.gene(id).gpus;
  if (fits && gpus <= owner.most_gpus() && (gpus == 0 || gpus >= owner.least_gpus())) return id;
  cells_.clear();
  gpus = 0;
  for (const Cell& cell : cells) {
    const int given = std::min(room(cell), owner.most_gpus() - gpus);
    if (given <= 0) continue;
    cells_.push_back({cell.node, given});
    gpus += given;
  }
  if (gpus < owner.least_gpus()) cells_.clear();
  return pool_.add(cells_, owner.cost(cells_));
}

void Breeder::occupy(std::size_t job, GeneId gene) {
  const auto cells = pool_.cells(gene);
  for (const Cell& cell : cells) {
    const auto node = static_cast<std::size_t>(cell.node);
    left_[node] -= cell.gpus;
    on_[node].push_back(job);
    if (cells.size() > 1) spanning_[node] = static_cast<std::int32_t>(job);
  }
}

void Breeder::vacate(std::size_t job, GeneId gene) {
  for (const Cell& cell : pool_.cells(gene)) {
    const auto node = static_cast<std::size_t>(cell.node);
    left_[node] += cell.gpus;
    std::erase(on_[node], job);
    if (spanning_[node] == static_cast<std::int32_t>(job)) spanning_[node] = -1;
  }
}

void Breeder::give_out(std::size_t most_nodes) {
  free_nodes_.clear();
  for (std::size_t node = 0; node < left_.size(); ++node) {
    if (left_[node] > 0) free_nodes_.push_back(node);
  }
  const std::size_t count = std::min(most_nodes, free_nodes_.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto others = static_cast<std::int64_t>(free_nodes_.size() - i);
    std::swap(free_nodes_[i], free_nodes_[i + static_cast<std::size_t>(random_.below(others))]);
    give_out_on(free_nodes_[i]);
  }
}

void Breeder::give_out_on(std::size_t node) {
  while (left_[node] > 0) {
    std::optional<Offer> best;
    for (int i = 0; i < kOffers; ++i) {
      auto offer = draw_offer(node);
      if (offer && offer->gain > (best ? best->gain : 0.0)) best = std::move(offer);
    }
    if (!best) return;
    const double cost = pool_.gene(genes_[best->job]).cost - best->gain;
    vacate(best->job, genes_[best->job]);
    genes_[best->job] = pool_.add(best->cells, cost);
    occupy(best->job, genes_[best->job]);
  }
}

/// Somebody who is there already, or anybody.
std::size_t Breeder::draw_job(std::size_t node) {
  const auto& there = on_[node];
  if (!there.empty() && random_.below(2) == 0) {
    return there[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(there.size())))];
  }
  return static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(genes_.size())));
}

/// A job that is drawn has more GPUs on this node beside all that it has, or it has some of this
/// node in place of them.
std::optional<Breeder::Offer> Breeder::draw_offer(std::size_t node) {
  const std::size_t job = draw_job(node);
  SearchJob& owner = problem_.jobs[job];
  const Gene& gene = pool_.gene(genes_[job]);
  const auto cells = pool_.cells(genes_[job]);
  const auto at = std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return static_cast<std::size_t>(cell.node) == node;
  });
  const bool moves = at == cells.end() && !cells.empty() && random_.below(3) == 0;
  const int most = std::min(left_[node], owner.most_gpus() - (moves ? 0 : gene.gpus));
  if (most <= 0) return std::nullopt;
  const auto more = static_cast<std::int32_t>(1 + random_.below(most));
  Offer offer{job, {}, 0, 0.0};
  if (!moves) offer.cells.assign(cells.begin(), cells.end());
  const Cell added{static_cast<std::int32_t>(node), more};
  if (at != cells.end()) {
    offer.cells[static_cast<std::size_t>(at - cells.begin())].gpus += more;
  } else {
    const auto before =
        std::upper_bound(offer.cells.begin(), offer.cells.end(), added,
                         [](const Cell& a, const Cell& b) { return a.node < b.node; });
    offer.cells.insert(before, added);
  }
  if ((moves ? 0 : gene.gpus) + more < owner.least_gpus() || !may_span(job, offer.cells)) {
    return std::nullopt;
  }
  offer.gain = gene.cost - owner.cost(offer.cells);
  return offer;
}

bool Breeder::may_span(std::size_t job, const Cells& cells) const {
  if (cells.size() > static_cast<std::size_t>(problem_.rules.most_nodes)) return false;
  if (cells.size() == 1 || !problem_.rules.avoid_interference) return true;
  return std::all_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    const std::int32_t other = spanning_[static_cast<std::size_t>(cell.node)];
    return other < 0 || other == static_cast<std::int32_t>(job);
  });
}

Genome Breeder::finish() {
  Genome genome{genes_, 0.0, 0};
  for (std::size_t job = 0; job < genes_.size(); ++job) {
    const Gene& gene = pool_.gene(genes_[job]);
    genome.cost += gene.cost;
    // Of the job, too: genes of two jobs may be swapped.
    genome.hash += (gene.hash ^ (job * 0x9e3779b97f4a7c15ULL)) * 0xd6e8feb86659fd93ULL;
  }
  return genome;
}

}  // namespace mimus::scheduler
