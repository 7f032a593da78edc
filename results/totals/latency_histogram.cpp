// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mimus::results {

namespace {

constexpr int kSubBucketBits = 7;
constexpr int kMantissaBits = 52;
constexpr int kShift = kMantissaBits - kSubBucketBits;
constexpr double kLeast = 0x1p-30;
constexpr double kGreatest = 0x1p20;

// The leading bits of a positive double (exponent and mantissa together) grow with its value.
constexpr std::uint64_t leading_bits(double value) {
  return std::bit_cast<std::uint64_t>(value) >> kShift;
}

constexpr std::uint64_t kFirst = leading_bits(kLeast);
constexpr std::size_t kBuckets = leading_bits(kGreatest) - kFirst;

std::size_t bucket_of(double seconds) {
  if (!(seconds > kLeast)) return 0;
  if (seconds >= kGreatest) return kBuckets - 1;
  return leading_bits(seconds) - kFirst;
}

double middle_of(std::size_t bucket) {
  const std::uint64_t half = std::uint64_t{1} << (kShift - 1);
  return std::bit_cast<double>(((kFirst + bucket) << kShift) + half);
}

}  // namespace

LatencyHistogram::LatencyHistogram() : buckets_(kBuckets) {}

void LatencyHistogram::add(double seconds) {
  least_ = count_ == 0 ? seconds : std::min(least_, seconds);
  greatest_ = count_ == 0 ? seconds : std::max(greatest_, seconds);
  ++buckets_[bucket_of(seconds)];
  ++count_;
}

double LatencyHistogram::quantile(double q) const {
  if (count_ == 0) return 0.0;
  const double position = q * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::int64_t>(std::floor(position));
  const double at = order_statistic(below);
  if (below + 1 == count_) return at;
  return at + (position - static_cast<double>(below)) * (order_statistic(below + 1) - at);
}

double LatencyHistogram::order_statistic(std::int64_t rank) const {
  if (rank == 0) return least_;
  if (rank + 1 == count_) return greatest_;
  std::int64_t passed = 0;
  std::size_t bucket = bucket_of(least_);  // earlier ones are empty
  while (passed + buckets_[bucket] <= rank) passed += buckets_[bucket++];
  return std::clamp(middle_of(bucket), least_, greatest_);
}

}  // namespace mimus::results
