// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/percentile.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mimus::results {
namespace {

TEST(Percentile, InterpolatesBetweenOrderStatistics) {
  // Position 0.5·(4−1) = 1.5 is midway between the second (20) and third (30) smallest.
  EXPECT_DOUBLE_EQ(percentile({40, 10, 30, 20}, 0.5), 25.0);
  // Position 0.99·3 = 2.97: 30 + 0.97·(40 − 30).
  EXPECT_DOUBLE_EQ(percentile({40, 10, 30, 20}, 0.99), 39.7);
}

TEST(Percentile, OfTheEndsIsMinimumAndMaximum) {
  EXPECT_DOUBLE_EQ(percentile({3, 1, 2}, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(percentile({3, 1, 2}, 1.0), 3.0);
}

TEST(Percentile, OfOneValueIsThatValue) {
  EXPECT_DOUBLE_EQ(percentile({7}, 0.99), 7.0);
}

TEST(Percentile, OfNothingIsZero) {
  EXPECT_DOUBLE_EQ(percentile({}, 0.5), 0.0);
}

TEST(Percentile, OfSortedValuesIsTheSameToTheLastBit) {
  RandomStream random(3, "values");
  std::vector<double> values;
  for (int i = 0; i < 101; ++i) values.push_back(random.uniform(0, 1e6));
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());

  for (const double q : {0.0, 0.005, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    EXPECT_EQ(percentile_of_sorted(sorted, q), percentile(values, q)) << q;
  }
}

TEST(Percentile, OfNothingSortedIsZero) {
  EXPECT_EQ(percentile_of_sorted({}, 0.5), 0.0);
}

}  // namespace
}  // namespace mimus::results
