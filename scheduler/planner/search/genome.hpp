// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace mimus::scheduler {

/// The GPUs of a job on one node.
struct Cell {
  std::int32_t node = 0;
  std::int32_t gpus = 0;
  bool operator==(const Cell&) const = default;
};

/// The GPUs of a job: its cells by node, none of them empty.
using Cells = std::vector<Cell>;

/// Equal for equal cells, and practically never for others.
[[nodiscard]] std::uint64_t hash_of(std::span<const Cell> cells);

/// What a gene is worth to its job.
struct GeneWorth {
  double cost = 0.0;     ///< the job's part of the sum that the search minimises
  double speedup = 0.0;  ///< its SPEEDUP, whether it restarts or not
};

/// The GPUs of one job in one or more genomes; belongs to a GenePool.
struct Gene {
  std::uint32_t first = 0;  ///< of its cells in the pool
  std::uint32_t nodes = 0;
  std::int32_t gpus = 0;
  std::uint64_t hash = 0;
  GeneWorth worth;
};
using GeneId = std::uint32_t;

/// All genes of a search. Genomes share them, so that copying a genome costs four bytes per job and
/// the worth of a gene is computed once.
class GenePool {
 public:
  GeneId add(std::span<const Cell> cells, GeneWorth worth);
  [[nodiscard]] const Gene& gene(GeneId id) const { return genes_[id]; }
  [[nodiscard]] std::span<const Cell> cells(GeneId id) const {
    const Gene& gene = genes_[id];
    return {cells_.data() + gene.first, gene.nodes};
  }
  void clear();

 private:
  std::vector<Gene> genes_;
  std::vector<Cell> cells_;
};

/// A sum of costs that may differ by 30 orders of magnitude: in a double, a job without GPUs would
/// hide all others. Twice the digits of a double, by Knuth's two-sum.
class CostSum {
 public:
  void add(double cost) {
    const double sum = high_ + cost;
    const double of_cost = sum - high_;
    low_ += (high_ - (sum - of_cost)) + (cost - of_cost);
    high_ = sum;
  }
  /// To be called after the last add(), before sums are compared.
  void settle() {
    const double sum = high_ + low_;
    low_ -= sum - high_;
    high_ = sum;
  }
  [[nodiscard]] double value() const { return high_ + low_; }
  auto operator<=>(const CostSum&) const = default;

 private:
  double high_ = 0.0;
  double low_ = 0.0;
};

/// A complete assignment: one gene for each job.
struct Genome {
  std::vector<GeneId> genes;  ///< by job
  CostSum cost;               ///< of its genes
  double utility = 0.0;       ///< UTILITY: sum of their speedups per GPU of the nodes in use
  std::uint64_t hash = 0;     ///< of the contents of its genes
};

}  // namespace mimus::scheduler
