// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/weighted_shares.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mimus::scheduler {
namespace {

/// Adds `total` to the shares of `takers` in proportion to their weights.
void deal(std::span<const double> weights, const std::vector<std::size_t>& takers, int total,
          std::vector<int>& shares) {
  double sum = 0.0;
  for (const std::size_t i : takers) sum += weights[i];
  std::vector<std::pair<double, std::size_t>> remainders;  // negative, so that largest come first
  int left = total;
  for (const std::size_t i : takers) {
    const double exact = total * weights[i] / sum;
    const int whole = static_cast<int>(std::floor(exact));
    shares[i] += whole;
    left -= whole;
    remainders.emplace_back(whole - exact, i);
  }
  std::sort(remainders.begin(), remainders.end());
  for (int k = 0; k < left; ++k) ++shares[remainders[static_cast<std::size_t>(k)].second];
}

}  // namespace

std::vector<int> weighted_shares(std::span<const double> weights, std::span<const int> limits,
                                 int total) {
  std::vector<int> shares(weights.size(), 0);
  while (total > 0) {
    std::vector<std::size_t> takers;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] < limits[i]) takers.push_back(i);
    }
    if (takers.empty()) break;
    deal(weights, takers, total, shares);
    total = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const int over = std::max(0, shares[i] - limits[i]);
      shares[i] -= over;
      total += over;
    }
  }
  return shares;
}

}  // namespace mimus::scheduler
