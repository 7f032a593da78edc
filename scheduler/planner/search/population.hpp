// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/random.hpp"
#include "scheduler/planner/search/breeder.hpp"

namespace mimus::scheduler {

/// The genomes of one generation, no two of them equal. Besides low costs they have a second
/// objective, high utility, as in Pollux's artifact (NSGA-II): it keeps genomes in which waiting
/// jobs have started and others were restarted for them, although such restarts cost more at first.
/// The one with the least cost comes first, then those that pareto_order() says.
class Population {
 public:
  explicit Population(std::size_t size) : size_(size) {}

  /// The best of these and of those it has stay.
  void admit(std::vector<Genome>&& genomes);
  /// As many children as it may have genomes, each from two winners of a tournament of two.
  [[nodiscard]] std::vector<Genome> children(Breeder& breeder, RandomStream& random) const;
  [[nodiscard]] const Genome& best() const { return genomes_.front(); }
  [[nodiscard]] const std::vector<Genome>& genomes() const { return genomes_; }

 private:
  [[nodiscard]] const Genome& winner(RandomStream& random) const;

  std::size_t size_;
  std::vector<Genome> genomes_;
};

}  // namespace mimus::scheduler
