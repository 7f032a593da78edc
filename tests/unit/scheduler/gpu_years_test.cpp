// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/books/runner_place.hpp"
#include "scheduler/order/shortest_remaining.hpp"

// GPUs × nanoseconds exceed 64 bits at 292 GPU-years (9.22e9 GPU-s), which 16,384 GPUs reach in 6.5
// days. Results must be correct beyond this.

namespace mimus::scheduler::test {
namespace {

constexpr double kTenDays = 864'000;
constexpr double kLate = 750'000;  // 16,384 GPUs have provided 1.23e10 GPU-s by then

/// All of 2,048 × 8 GPUs run one job of ten days when a job of one hour arrives for 8 of them.
Driver whole_cluster_and_a_late_job(const std::string& order) {
  Driver driver(shape(2048, 8),
                policy("{order: " + order +
                       ", placement: counting, preemption: {name: checkpoint, min_run: 60 s}}"),
                {});
  JobView big = job(0, 2048 * 8);
  big.user_estimate = seconds(kTenDays);
  JobView late = job(1, 8, kLate);
  late.user_estimate = seconds(3600);
  driver.submit(big, {.work = seconds(kTenDays)});
  driver.submit(late, {.work = seconds(3600)});
  driver.run();
  return driver;
}

void expect_that_the_late_job_starts_at_once(const std::string& order) {
  const Driver driver = whole_cluster_and_a_late_job(order);

  EXPECT_EQ(driver.outcome(1).runs.front().first, at(kLate)) << order;
  EXPECT_EQ(driver.outcome(1).end, at(kLate + 3600)) << order;
  EXPECT_EQ(driver.outcome(0).end, at(kTenDays + 3600)) << order;
  EXPECT_EQ(driver.outcome(0).preemptions, 1) << order;
}

TEST(BeyondGpuYears, TheLeastServedJobGoesFirst) {
  expect_that_the_late_job_starts_at_once("las");
}

TEST(BeyondGpuYears, TheJobWithTheLeastServiceLeftGoesFirst) {
  expect_that_the_late_job_starts_at_once("srsf");
}

TEST(BeyondGpuYears, AJobIsStillDemoted) {
  expect_that_the_late_job_starts_at_once("{name: las, limits: [3600 s, 2500000 h]}");
}

// 16,384 GPUs × 750,000 s.
TEST(BeyondGpuYears, ServiceGoesOn) {
  JobView runs = job(0, 16'384);
  runs.attempt = AttemptId{0};
  runs.state = JobState::running;

  EXPECT_EQ(runs.service(at(kLate)).count(), WideInteger{seconds(kLate).count()} * 16'384);
  EXPECT_GT(runs.service(at(kLate)).count(), Duration::max().count());
}

// A rank that drifts is the same whether it is queried or extrapolated, whatever its size.
TEST(BeyondGpuYears, RemainingServiceDriftsAtItsOwnRate) {
  const ShortestRemaining srsf({.measure = ShortestRemaining::Measure::service});
  JobView runs = job(0, 16'384);
  runs.estimated_run_time = seconds(kTenDays);
  runs.attempt = AttemptId{0};
  runs.state = JobState::running;
  const std::int64_t drift = srsf.drift(runs, at(0));

  const SteadyRank steady = SteadyRank::of(srsf.rank(runs, at(0)), drift, at(0));

  EXPECT_EQ(steady.at(drift, at(kLate)), srsf.rank(runs, at(kLate)));
}

TEST(BeyondGpuYears, JobsWithoutEstimateStillComeLast) {
  const ShortestRemaining srsf(
      {.measure = ShortestRemaining::Measure::service, .unknown = Unknown::last});
  const JobView unknown = job(0);
  JobView large = job(1, 16'384);
  large.estimated_run_time = seconds(kTenDays);

  EXPECT_LT(srsf.rank(large, at(0)), srsf.rank(unknown, at(0)));
}

}  // namespace
}  // namespace mimus::scheduler::test
