// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/step_statistics.hpp"

#include <gtest/gtest.h>

namespace mimus::results {
namespace {

StepRow window(std::int64_t steps, double mean, double modelled, std::int64_t co_tenants) {
  StepRow row;
  row.steps = steps;
  row.step_mean = mean;
  row.step_modelled = modelled;
  row.co_tenants = co_tenants;
  return row;
}

TEST(StepStatistics, TakesThePaceErrorFromWindowsWithoutCoTenants) {
  StepStatistics statistics;
  statistics.add(window(10, 1.1, 1.0, 0));  // 0.1
  statistics.add(window(10, 0.8, 1.0, 0));  // 0.2, below the model
  statistics.add(window(10, 1.4, 1.0, 0));  // 0.4
  statistics.add(window(10, 9.0, 1.0, 1));  // shared: says nothing about pacing

  EXPECT_NEAR(statistics.off_solo_median(), 0.2, 1e-12);
}

TEST(StepStatistics, WeighsLatenessBySteps) {
  StepStatistics statistics;
  StepRow slow = window(1, 2.0, 2.0, 0);
  slow.late = 1.0;
  statistics.add(slow);
  statistics.add(window(8, 1.0, 1.0, 0));

  EXPECT_DOUBLE_EQ(statistics.late_share(), 1.0 / (2.0 + 8.0));
}

TEST(StepStatistics, CountsUsefulTimeAtModelledSpeedAndFullEfficiency) {
  StepStatistics statistics;
  StepRow row = window(10, 3.0, 2.0, 1);
  row.samples = 640;
  row.progress_samples = 480;
  statistics.add(row);

  EXPECT_DOUBLE_EQ(statistics.useful_seconds(), 10 * 2.0 * 480 / 640);
}

TEST(StepStatistics, KnowsNoPaceErrorWhereThePaceIsEmulated) {
  StepStatistics statistics(Pace::emulated);
  StepRow row = window(10, 3.0, 2.0, 0);
  row.samples = row.progress_samples = 640;
  statistics.add(row);

  EXPECT_EQ(statistics.off_solo_median(), 0.0);
  EXPECT_DOUBLE_EQ(statistics.useful_seconds(), 10 * 2.0);
}

TEST(StepStatistics, IsZeroWithoutSteps) {
  const StepStatistics statistics;
  EXPECT_EQ(statistics.off_solo_median(), 0.0);
  EXPECT_EQ(statistics.late_share(), 0.0);
  EXPECT_EQ(statistics.useful_seconds(), 0.0);
}

}  // namespace
}  // namespace mimus::results
