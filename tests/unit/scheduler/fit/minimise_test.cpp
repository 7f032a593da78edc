// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/minimise.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace mimus::scheduler {
namespace {

// Rosenbrock's valley has its only minimum, 0, at (1, 1).
TEST(Minimise, FindsTheEndOfACurvedValley) {
  const Objective rosenbrock = [](std::span<const double> x, std::span<double> slope) {
    const double bend = x[1] - x[0] * x[0];
    slope[0] = -400.0 * x[0] * bend - 2.0 * (1.0 - x[0]);
    slope[1] = 200.0 * bend;
    return 100.0 * bend * bend + (1.0 - x[0]) * (1.0 - x[0]);
  };

  const Minimum found = minimise(rosenbrock, {-1.2, 1.0}, 500);

  EXPECT_NEAR(found.at[0], 1.0, 1e-7);
  EXPECT_NEAR(found.at[1], 1.0, 1e-7);
}

// |x| + (y − x)² has a kink along its whole valley and its minimum at the origin.
TEST(Minimise, ConvergesOnAKink) {
  const Objective kinked = [](std::span<const double> x, std::span<double> slope) {
    slope[0] = (x[0] > 0.0 ? 1.0 : -1.0) - 2.0 * (x[1] - x[0]);
    slope[1] = 2.0 * (x[1] - x[0]);
    return std::abs(x[0]) + (x[1] - x[0]) * (x[1] - x[0]);
  };

  EXPECT_NEAR(minimise(kinked, {3.0, -2.0}, 500).value, 0.0, 1e-8);
}

TEST(Minimise, StaysWhereItIsFlat) {
  const Objective flat = [](std::span<const double>, std::span<double> slope) {
    slope[0] = 0.0;
    return 5.0;
  };

  EXPECT_EQ(minimise(flat, {2.0}, 10).at, std::vector{2.0});
}

}  // namespace
}  // namespace mimus::scheduler
