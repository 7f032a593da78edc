// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/fair_lottery.hpp"

#include <algorithm>
#include <numeric>

namespace mimus::scheduler {
namespace {

constexpr double kLotteryGap = 1e-9;
constexpr int kMostLotterySteps = 20'000;

std::vector<double> expected(const Worth& worth, std::span<const double> chances,
                             std::size_t tenants) {
  std::vector<double> values(tenants, 0.0);
  for (std::size_t s = 0; s < worth.size(); ++s) {
    for (std::size_t i = 0; i < tenants; ++i) values[i] += chances[s] * worth[s][i];
  }
  return values;
}

}  // namespace

std::vector<double> fair_lottery(const Worth& worth, std::span<const double> weights) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> chances(worth.size(), 1.0 / static_cast<double>(worth.size()));
  for (int step = 0; step < kMostLotterySteps; ++step) {
    const auto values = expected(worth, chances, weights.size());
    double largest = 0.0;
    for (std::size_t s = 0; s < worth.size(); ++s) {
      double factor = 0.0;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        factor += weights[i] * worth[s][i] / (values[i] * all);
      }
      chances[s] *= factor;
      largest = std::max(largest, factor);
    }
    if (largest <= 1.0 + kLotteryGap) break;
  }
  return chances;
}

}  // namespace mimus::scheduler
