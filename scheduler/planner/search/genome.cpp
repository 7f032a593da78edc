// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/genome.hpp"

namespace mimus::scheduler {
namespace {

/// The finaliser of splitmix64 (Steele et al., 2014).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t hash_of(std::span<const Cell> cells) {
  std::uint64_t hash = 0;
  for (const Cell& cell : cells) {
    const auto node = static_cast<std::uint64_t>(static_cast<std::uint32_t>(cell.node));
    const auto gpus = static_cast<std::uint64_t>(static_cast<std::uint32_t>(cell.gpus));
    hash += mixed((node << 32 | gpus) + 0x9e3779b97f4a7c15ULL);
  }
  return hash;
}

GeneId GenePool::add(std::span<const Cell> cells, GeneWorth worth) {
  Gene gene{static_cast<std::uint32_t>(cells_.size()), static_cast<std::uint32_t>(cells.size()), 0,
            hash_of(cells), worth};
  for (const Cell& cell : cells) gene.gpus += cell.gpus;
  cells_.insert(cells_.end(), cells.begin(), cells.end());
  genes_.push_back(gene);
  return static_cast<GeneId>(genes_.size() - 1);
}

void GenePool::clear() {
  genes_.clear();
  cells_.clear();
}

}  // namespace mimus::scheduler
