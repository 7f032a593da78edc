// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/latency_histogram.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "results/totals/percentile.hpp"

namespace mimus::results {
namespace {

TEST(LatencyHistogram, IsWithinFourPerMilleOfTheExactQuantile) {
  RandomStream random(5, "latencies");
  LatencyHistogram histogram;
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i) {
    values.push_back(std::pow(10.0, random.uniform(-8, 2)));  // 10 ns to 100 s
    histogram.add(values.back());
  }
  for (const double q : {0.005, 0.1, 0.5, 0.9, 0.99, 0.999}) {
    const double exact = percentile(values, q);
    EXPECT_NEAR(histogram.quantile(q), exact, 0.004 * exact) << q;
  }
}

TEST(LatencyHistogram, KnowsItsEndsExactly) {
  LatencyHistogram histogram;
  for (const double value : {3e-6, 1.2345e-6, 7.7e-3}) histogram.add(value);

  EXPECT_EQ(histogram.quantile(0), 1.2345e-6);
  EXPECT_EQ(histogram.quantile(1), 7.7e-3);
  EXPECT_EQ(histogram.count(), 3);
}

TEST(LatencyHistogram, TakesValuesOutsideItsRange) {
  LatencyHistogram histogram;
  for (const double value : {0.0, 1e-12, 1e9, 1e9}) histogram.add(value);

  EXPECT_EQ(histogram.quantile(0), 0.0);
  EXPECT_EQ(histogram.quantile(1), 1e9);
}

TEST(LatencyHistogram, OfNothingIsZero) {
  EXPECT_EQ(LatencyHistogram().quantile(0.5), 0.0);
}

}  // namespace
}  // namespace mimus::results
