// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_interval.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

// Four batches of one: mean 2.5, s = √(5/3), t(0.975, 3) = 3.1824; 3.1824 · 1.29099 / 2 = 2.0542.
TEST(BatchMeans, FewSamplesAreBatchesOfTheirOwn) {
  const std::vector<double> samples{1, 2, 3, 4};

  const Interval interval = batch_means(samples);

  EXPECT_DOUBLE_EQ(interval.mean, 2.5);
  EXPECT_NEAR(interval.half_width, 2.0542, 1e-4);
  EXPECT_NEAR(interval.sd, 1.29099, 1e-5);
  EXPECT_NEAR(interval.low(), 0.4458, 1e-4);
}

// 21 samples make ten batches of two; the first sample is left out. Each batch is 1 and 3, so the
// batch means are equal although single samples differ: s = √(20 · 1 / 19).
TEST(BatchMeans, DependenceWithinABatchDoesNotCountAsScatter) {
  std::vector<double> samples{100};
  for (int i = 0; i < 10; ++i) samples.insert(samples.end(), {1, 3});

  const Interval interval = batch_means(samples);

  EXPECT_EQ(interval.samples, 20);
  EXPECT_DOUBLE_EQ(interval.mean, 2.0);
  EXPECT_DOUBLE_EQ(interval.half_width, 0.0);
  EXPECT_NEAR(interval.sd, std::sqrt(20.0 / 19.0), 1e-12);
}

// 40 samples whose halves differ: batches of two, ten means of 1 and ten of 2. Their s is √(20 ·
// 0.25 / 19) = 0.51299, t(0.975, 19) = 2.0930: 2.0930 · 0.51299 / √20 = 0.24008.
TEST(BatchMeans, ASlowDriftShows) {
  std::vector<double> samples(20, 1.0);
  samples.insert(samples.end(), 20, 2.0);

  EXPECT_NEAR(batch_means(samples).half_width, 0.24008, 1e-5);
}

TEST(BatchMeans, OneSampleHasNoInterval) {
  const std::vector<double> one{3.0};

  EXPECT_TRUE(std::isinf(batch_means(one).half_width));
  EXPECT_EQ(batch_means(one).mean, 3.0);
}

// Relative half widths of 3 % and 4 % combine to 5 %: 1.5 ± 0.075.
TEST(SlowdownInterval, AddsRelativeErrorsInSquares) {
  const auto slowdown = slowdown_interval({.mean = 3.0, .half_width = 0.09, .sd = 0, .samples = 9},
                                          {.mean = 2.0, .half_width = 0.08, .sd = 0, .samples = 9});

  EXPECT_DOUBLE_EQ(slowdown.value, 1.5);
  EXPECT_NEAR(slowdown.low, 1.425, 1e-12);
  EXPECT_NEAR(slowdown.high, 1.575, 1e-12);
}

constexpr StoppingLimits kLimits{.interval = 0.40, .warm_up = 2, .min_steps = 8, .max_steps = 12};

TEST(StoppingRule, LeavesTheWarmUpOut) {
  StoppingRule rule(kLimits);

  for (const double step : {50.0, 9.0, 1.0, 1.0}) rule.add(step);

  EXPECT_EQ(rule.measured(), 2);
  EXPECT_EQ(rule.interval().mean, 1.0);
}

TEST(StoppingRule, StopsAtTheFirstLookWhenAllStepsAreAlike) {
  StoppingRule rule(kLimits);

  for (int i = 0; i < 9; ++i) rule.add(1.0);
  EXPECT_FALSE(rule.done());
  rule.add(1.0);
  rule.add(77.0);  // ignored

  EXPECT_TRUE(rule.converged());
  EXPECT_EQ(rule.measured(), 8);
  EXPECT_EQ(rule.interval().mean, 1.0);
}

// Eight steps of 1 and 3: s = √(8/7), t(0.975, 7) = 2.3646, half width 0.8937, or 44.7 %: continue.
// A ninth step of 2 would give 2.3060 · 1 / 3 = 0.7687, or 38.4 %, which is tight enough, but it is
// not checked. A tenth of 2: s = √(8/9), 2.2622 · 0.9428 / √10 = 0.6745, or 33.7 %.
TEST(StoppingRule, LooksOnlyWhenThereIsAQuarterMoreToSee) {
  StoppingRule rule(kLimits);
  for (const double step : {0.0, 0.0, 1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0, 3.0}) rule.add(step);
  EXPECT_FALSE(rule.done());

  rule.add(2.0);
  EXPECT_NEAR(rule.interval().relative(), 0.3843, 1e-4);
  EXPECT_FALSE(rule.done());
  rule.add(2.0);

  EXPECT_TRUE(rule.converged());
  EXPECT_NEAR(rule.interval().relative(), 0.3373, 1e-4);
}

TEST(StoppingRule, GivesUpAtTheMostSteps) {
  StoppingRule rule(kLimits);

  for (int i = 0; i < 7; ++i) {
    rule.add(1.0);
    rule.add(5.0);
  }

  EXPECT_TRUE(rule.done());
  EXPECT_FALSE(rule.converged());
  EXPECT_EQ(rule.measured(), 12);
}

}  // namespace
}  // namespace mimus::emulator
