// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/breeder.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

// A child resets this share of its jobs to what they have, but on average at most this many. On
// average it takes GPUs from this many jobs. The numbers are drawn from 0 to twice the mean.
constexpr double kResetShare = 0.1;
constexpr double kMostResets = 2.0;
constexpr double kRobbed = 1.0;
/// Number of nodes whose free GPUs a child gives out.
constexpr std::size_t kNodesGivenOut = 16;

}  // namespace

Breeder::Breeder(SearchProblem& problem, GenePool& pool, RandomStream& random)
    : problem_(problem),
      pool_(pool),
      random_(random),
      draft_(problem, pool),
      growth_(problem, draft_, random),
      mutations_(problem.jobs.size(), Mutation::none) {
  present_.reserve(problem.jobs.size());
  for (SearchJob& job : problem_.jobs) {
    present_.push_back(pool_.add(job.now(), job.worth(job.now())));
  }
}

Genome Breeder::present() {
  return repaired(present_);
}

Genome Breeder::repaired(const std::vector<GeneId>& genes) {
  draft_.clear();
  for (const GeneId gene : genes) draft_.add(gene);
  return draft_.genome();
}

Genome Breeder::child(const Genome& a, const Genome& b, std::size_t cut) {
  draft_.clear();
  draw_mutations();
  for (std::size_t job = 0; job < a.genes.size(); ++job) {
    draft_.add(mutated(job, (job < cut ? a : b).genes[job]));
  }
  for (const std::size_t job : mutants_) mutations_[job] = Mutation::none;
  growth_.give_out(kNodesGivenOut);
  return draft_.genome();
}

Genome Breeder::filled(const Genome& genome) {
  draft_.clear();
  for (const GeneId gene : genome.genes) draft_.add(gene);
  growth_.give_out(draft_.nodes());
  return draft_.genome();
}

void Breeder::draw_mutations() {
  mutants_.clear();
  const auto jobs = static_cast<std::int64_t>(problem_.jobs.size());
  const auto draw = [&](double mean, Mutation kind) {
    for (auto i = static_cast<int>(random_.uniform() * (2.0 * mean + 1.0)); i > 0; --i) {
      mutants_.push_back(static_cast<std::size_t>(random_.below(jobs)));
      mutations_[mutants_.back()] = kind;
    }
  };
  draw(std::min(kResetShare * static_cast<double>(jobs), kMostResets), Mutation::reset);
  draw(kRobbed, Mutation::rob);
}

GeneId Breeder::mutated(std::size_t job, GeneId gene) {
  switch (mutations_[job]) {
    case Mutation::reset:
      return present_[job];
    case Mutation::rob:
      return robbed(job, gene);
    case Mutation::none:
      break;
  }
  return gene;
}

/// The gene without some or all GPUs of one node.
GeneId Breeder::robbed(std::size_t job, GeneId gene) {
  const auto cells = pool_.cells(gene);
  if (cells.empty()) return gene;
  cells_.assign(cells.begin(), cells.end());
  const auto at = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(cells_.size())));
  cells_[at].gpus -= static_cast<std::int32_t>(1 + random_.below(cells_[at].gpus));
  if (cells_[at].gpus == 0 || random_.below(2) == 0) {
    cells_.erase(cells_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return pool_.add(cells_, problem_.jobs[job].worth(cells_));
}

}  // namespace mimus::scheduler
