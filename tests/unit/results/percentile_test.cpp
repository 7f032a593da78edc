// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/percentile.hpp"

#include <gtest/gtest.h>

namespace mimus::results {
namespace {

TEST(Percentile, InterpolatesBetweenOrderStatistics) {
  // Position 0.5·(4−1) = 1.5 lies midway between the second (20) and third (30) smallest.
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

}  // namespace
}  // namespace mimus::results
