// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary/estimate.hpp"

#include <gtest/gtest.h>

namespace mimus::results {
namespace {

// The deviation of 1, 2, 3 is 1, and t(0.975; 2) = 4.302653 in every table: 4.302653 ÷ √3.
TEST(Estimate, IsStudentsInterval) {
  const Estimate found = estimate({1, 2, 3});

  EXPECT_DOUBLE_EQ(found.mean, 2);
  ASSERT_TRUE(found.half_width);
  EXPECT_NEAR(*found.half_width, 2.484138, 1e-6);
}

// Two values: t(0.975; 1) = 12.706205, standard deviation 2 ÷ √2, divided by √2.
TEST(Estimate, OfTwoValuesIsWide) {
  EXPECT_NEAR(estimate({4, 6}).half_width.value_or(0), 12.706205, 1e-6);
}

TEST(Estimate, OfOneValueHasNoInterval) {
  const Estimate found = estimate({7});

  EXPECT_DOUBLE_EQ(found.mean, 7);
  EXPECT_FALSE(found.half_width);
}

TEST(Estimate, OfEqualValuesHasNoInterval) {
  EXPECT_FALSE(estimate({0.1, 0.1, 0.1, 0.1}).half_width);
  EXPECT_FALSE(estimate({0, 0}).half_width);
}

}  // namespace
}  // namespace mimus::results
