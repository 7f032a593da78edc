// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/partial_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mimus::scheduler {
namespace {

/// Entry g: the largest sum of logarithms of the bidders' values with g GPUs in total.
using BestOf = std::vector<double>;

/// Adds one bidder. `taken`, if not null, receives the number of GPUs of that bidder per entry.
BestOf with(const Valuation& bidder, const BestOf& others, std::vector<int>* taken) {
  std::vector<double> worth(bidder.size());
  std::transform(bidder.begin(), bidder.end(), worth.begin(),
                 [](double value) { return std::log(value); });
  BestOf best(others.size());
  if (taken != nullptr) taken->resize(others.size());
  for (std::size_t gpus = 0; gpus < others.size(); ++gpus) {
    std::size_t chosen = 0;
    double most = worth[0] + others[gpus];
    for (std::size_t own = 1; own <= std::min(gpus, worth.size() - 1); ++own) {
      const double sum = worth[own] + others[gpus - own];
      if (sum > most) {
        most = sum;
        chosen = own;
      }
    }
    best[gpus] = most;
    if (taken != nullptr) (*taken)[gpus] = static_cast<int>(chosen);
  }
  return best;
}

double best_together(const BestOf& some, const BestOf& others) {
  double best = some.front() + others.back();
  for (std::size_t gpus = 1; gpus < some.size(); ++gpus) {
    best = std::max(best, some[gpus] + others[others.size() - 1 - gpus]);
  }
  return best;
}

}  // namespace

PartialAllocation partial_allocation(std::span<const Valuation> bidders, int gpus) {
  const BestOf empty(static_cast<std::size_t>(gpus) + 1, 0.0);
  std::vector<BestOf> before{empty};  // entry p: of the bidders before p
  std::vector<std::vector<int>> taken(bidders.size());
  for (std::size_t p = 0; p < bidders.size(); ++p) {
    before.push_back(with(bidders[p], before[p], &taken[p]));
  }
  const double all = before.back().back();
  PartialAllocation result{std::vector<int>(bidders.size()), std::vector<double>(bidders.size())};
  BestOf after = empty;
  for (std::size_t p = bidders.size(), left = empty.size() - 1; p-- > 0;) {
    const int own = taken[p][left];
    left -= static_cast<std::size_t>(own);
    result.fair[p] = own;
    const double others = all - std::log(bidders[p][static_cast<std::size_t>(own)]);
    result.shares[p] = std::min(1.0, std::exp(others - best_together(before[p], after)));
    if (p > 0) after = with(bidders[p], after, nullptr);
  }
  return result;
}

}  // namespace mimus::scheduler
