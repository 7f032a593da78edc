// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

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

std::vector<std::int64_t> apportioned(std::int64_t count, std::span<const double> shares) {
  ensure(count >= static_cast<std::int64_t>(shares.size()), "less to divide than entries");
  std::vector<std::int64_t> parts(shares.size(), 1);
  double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  const auto claim = [&](std::size_t i) { return static_cast<double>(count) * shares[i] / total; };
  std::size_t large = shares.size();
  for (; large > 0 && claim(large - 1) < 1.0; --large, --count) total -= shares[large - 1];
  std::vector<std::size_t> by_remainder(large);
  std::iota(by_remainder.begin(), by_remainder.end(), std::size_t{0});
  const auto remainder = [&](std::size_t i) { return claim(i) - std::floor(claim(i)); };
  std::stable_sort(by_remainder.begin(), by_remainder.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  std::int64_t left = count;
  for (std::size_t i = 0; i < large; ++i) {
    parts[i] = static_cast<std::int64_t>(std::floor(claim(i)));
    left -= parts[i];
  }
  for (const std::size_t i : by_remainder) parts[i] += left-- > 0 ? 1 : 0;
  return parts;
}

}  // namespace mimus::workloads
