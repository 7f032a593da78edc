// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mimus::results {

/// Quantiles of any number of latencies in 50 KiB: counts in buckets that are 1/128 of a power of
/// two wide, from 2^-30 s (1 ns) to 2^20 s, as in HdrHistogram. A quantile is within 0.4 % of the
/// exact one; the least and the greatest value are exact.
class LatencyHistogram {
 public:
  LatencyHistogram();

  void add(double seconds);
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// The quantile q in [0, 1], as percentile() defines it [s]; 0 without values.
  [[nodiscard]] double quantile(double q) const;

 private:
  [[nodiscard]] double order_statistic(std::int64_t rank) const;

  std::vector<std::int64_t> buckets_;
  std::int64_t count_ = 0;
  double least_ = 0;
  double greatest_ = 0;
};

}  // namespace mimus::results
