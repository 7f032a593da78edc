// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/population.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scheduler/planner/search/pareto_order.hpp"

namespace mimus::scheduler {
namespace {

/// Probability that the genes of two parents are mixed. Otherwise the child is a mutated copy of
/// one parent (the default of pymoo, the library of the artifact).
constexpr double kCrossover = 0.9;

bool is_cheaper(const Genome& a, const Genome& b) {
  if (a.cost != b.cost) return a.cost < b.cost;
  return a.utility != b.utility ? a.utility > b.utility : a.hash < b.hash;
}

}  // namespace

void Population::admit(std::vector<Genome>&& genomes) {
  genomes_.insert(genomes_.end(), std::make_move_iterator(genomes.begin()),
                  std::make_move_iterator(genomes.end()));
  std::sort(genomes_.begin(), genomes_.end(), is_cheaper);
  const auto is_equal = [](const Genome& a, const Genome& b) { return a.hash == b.hash; };
  genomes_.erase(std::unique(genomes_.begin(), genomes_.end(), is_equal), genomes_.end());
  std::vector<Objectives> objectives;
  for (const Genome& genome : genomes_) objectives.push_back({genome.cost.value(), genome.utility});
  std::vector<std::size_t> order = pareto_order(objectives);
  order.resize(std::min(order.size(), size_));
  std::vector<Genome> best;
  for (const std::size_t genome : order) best.push_back(std::move(genomes_[genome]));
  genomes_ = std::move(best);
}

const Genome& Population::winner(RandomStream& random) const {
  const auto count = static_cast<std::int64_t>(genomes_.size());
  const auto a = random.below(count);
  const auto b = random.below(count);
  return genomes_[static_cast<std::size_t>(std::min(a, b))];
}

std::vector<Genome> Population::children(Breeder& breeder, RandomStream& random) const {
  std::vector<Genome> children;
  children.reserve(size_ + 1);
  while (children.size() < size_) {
    const Genome& a = winner(random);
    const Genome& b = winner(random);
    const auto jobs = static_cast<std::int64_t>(a.genes.size());
    const bool mixes = random.uniform() < kCrossover;
    const auto cut = static_cast<std::size_t>(mixes ? random.below(jobs) : jobs);
    children.push_back(breeder.child(a, b, cut));
    children.push_back(breeder.child(b, a, cut));
  }
  return children;
}

}  // namespace mimus::scheduler
