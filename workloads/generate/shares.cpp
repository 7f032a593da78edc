// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mimus::workloads {

std::vector<double> zipf_shares(std::int64_t count, double exponent) {
  std::vector<double> shares(static_cast<std::size_t>(count));
  double rank = 1.0;
  for (double& share : shares) share = std::pow(rank++, -exponent);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= total;
  return shares;
}

std::vector<double> skewed_shares(std::int64_t count, std::int64_t top, double share) {
  const auto share_of_top = [&](double exponent) {
    const auto shares = zipf_shares(count, exponent);
    return std::accumulate(shares.begin(), shares.begin() + std::min(top, count), 0.0);
  };
  double low = 0.0, high = 16.0;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (share_of_top(middle) < share ? low : high) = middle;
  }
  return zipf_shares(count, share_of_top(0.0) >= share ? 0.0 : high);
}

}  // namespace mimus::workloads
