// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/random.hpp"
#include "scheduler/planner/search/breeder.hpp"

namespace mimus::scheduler {

/// The genomes of one generation, the least cost first, no two of them equal.
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
