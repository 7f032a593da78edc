// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/generate/arrival_clock.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

/// Jobs arrive between 09:00 and 10:00 of weekdays only.
WeekShape one_busy_hour() {
  WeekShape shape;
  shape.hours[9] = 1.0;
  shape.weekend = 0.0;
  return shape;
}

TEST(ArrivalClock, WithoutAShapeGapsAddUp) {
  ArrivalClock clock(std::nullopt);
  EXPECT_EQ(clock.after(seconds(30)), Instant{seconds(30)});
  EXPECT_EQ(clock.after(seconds(12)), Instant{seconds(42)});
}

TEST(ArrivalClock, EvenWeeksChangeNothing) {
  WeekShape even;
  even.hours.fill(7.0);
  ArrivalClock clock(even);
  EXPECT_NEAR(to_seconds(clock.after(hours(1000))), 3.6e6, 1e-3);
}

// The 168 mean hours of the week fit into five hours, so each passes in 5/168 of an hour. 16.8 mean
// hours are half of Monday's busy hour: 09:30.
TEST(ArrivalClock, GapsPassInBusyHours) {
  ArrivalClock clock(one_busy_hour());
  EXPECT_NEAR(to_seconds(clock.after(minutes(1008))), 9.5 * 3600.0, 1e-3);
}

// A whole week later. 33.6 + 16.8 mean hours are one and a half busy hours.
TEST(ArrivalClock, SkipsQuietHoursDaysAndWeeks) {
  ArrivalClock clock(one_busy_hour());
  EXPECT_NEAR(to_seconds(clock.after(hours(168) + minutes(3024))), (168.0 + 24.0 + 9.5) * 3600.0,
              1e-3);
}

TEST(ArrivalClock, MayBeginInTheMiddleOfTheWeek) {
  WeekShape shape = one_busy_hour();
  shape.start = hours(24 * 4 + 9) + minutes(45);  // Friday 09:45; 8.4 mean hours until 10:00
  ArrivalClock clock(shape);
  EXPECT_NEAR(to_seconds(clock.after(minutes(504 - 1))), 15 * 60.0, 5.0);
  // The rest of that minute. Monday 09:00 is 71 h later, and then half of its hour follows.
  EXPECT_NEAR(to_seconds(clock.after(minutes(1 + 1008))), (0.25 + 71.0 + 0.5) * 3600.0, 1e-3);
}

TEST(ArrivalClock, RefusesTimesThatDoNotFit) {
  ArrivalClock clock(std::nullopt);
  (void)clock.after(seconds(4'000'000'000));
  EXPECT_THAT(test::message_of([&] { (void)clock.after(seconds(1'000'000'000)); }),
              testing::StartsWith("a job would arrive after 158 years; generate fewer jobs"));
}

const std::string kDiurnal = "source: diurnal\njobs: 50000\nmean_interarrival: 60 s\n";

// 50,000 minutes are 4.96 weeks. Each of the 24 x 7 cells has 298 jobs on average. Hours are summed
// over about 35 days, with weekends at half: a share p has a standard error of at most 0.1 %.
TEST(Diurnal, HoursHaveTheSharesOfTheWeights) {
  const Workload workload = test::make_workload(kDiurnal + "weekend_factor: 1\n");
  std::array<double, 24> share{};
  for (const Job& job : workload.jobs) {
    share[static_cast<std::size_t>(job.arrival.time_since_epoch() / hours(1)) % 24] += 1.0 / 50'000;
  }
  // Weights sum to 23.06.
  EXPECT_NEAR(share[7], 1.96 / 23.06, 0.006);
  EXPECT_NEAR(share[14], 0.51 / 23.06, 0.004);
}

// 2 · 0.5 of 5 + 2 · 0.5 days' worth of jobs: one sixth.
TEST(Diurnal, WeekendsAreQuieter) {
  const Workload workload = test::make_workload(kDiurnal);
  double weekend = 0.0, all = 0.0;
  for (const Job& job : workload.jobs) {
    const auto day = job.arrival.time_since_epoch() / hours(24);
    if (day >= 28) break;
    all += 1.0;
    weekend += day % 7 >= 5 ? 1.0 : 0.0;
  }
  EXPECT_NEAR(weekend / all, 1.0 / 6.0, 0.01);
}

TEST(Diurnal, MeanGapIsAskedForOverTheWeek) {
  const Workload workload = test::make_workload(kDiurnal);
  EXPECT_NEAR(to_seconds(workload.jobs.back().arrival), 50'000 * 60.0, 0.05 * 50'000 * 60.0);
}

TEST(Diurnal, DiffersFromPoissonInTheArrivalsOnly) {
  const Workload diurnal = test::make_workload(kDiurnal);
  const Workload poisson =
      test::make_workload("{source: poisson, jobs: 100, mean_interarrival: 60 s}");
  for (std::size_t i = 0; i < poisson.jobs.size(); ++i) {
    EXPECT_EQ(diurnal.jobs[i].work_samples, poisson.jobs[i].work_samples);
    EXPECT_EQ(diurnal.jobs[i].gang, poisson.jobs[i].gang);
  }
}

TEST(Diurnal, NeedsOneWeightPerHour) {
  EXPECT_EQ(
      test::message_of([] { (void)test::make_workload(kDiurnal + "hourly_weights: [1, 2]\n"); }),
      "w.yaml:4:17: workload.hourly_weights: needs 24 weights, one per hour from midnight, "
      "got 2");
}

TEST(ArrivalRate, IsStatedOnce) {
  EXPECT_THAT(test::message_of([] { (void)test::make_workload("{source: poisson, jobs: 3}"); }),
              testing::HasSubstr("state how often jobs arrive"));
  EXPECT_THAT(
      test::message_of([] {
        (void)test::make_workload("{source: poisson, jobs: 3, load: 1, mean_interarrival: 1 s}");
      }),
      testing::HasSubstr("workload.load: cannot be combined with \"mean_interarrival\""));
}

// Mean gang 2.5, mean run time 600 s: 1500 GPU-s per job on 64 GPUs at a load of 0.5 make one job
// every 46.875 s. The standard error of 20,000 exponential gaps is 0.7 %.
TEST(ArrivalRate, LoadFollowsFromGangsAndRunTimes) {
  const Workload workload = test::make_workload(
      "{source: poisson, jobs: 20000, load: 0.5, run_time_jobs: true, gangs: {1: 1, 4: 1}}", 64);
  EXPECT_NEAR(to_seconds(workload.jobs.back().arrival) / 20'000.0, 46.875, 1.4);
}

TEST(Poisson, RunTimeJobsHaveNoModel) {
  const Workload workload = test::make_workload(
      "{source: poisson, jobs: 2000, mean_interarrival: 1 s, run_time_jobs: true,"
      " duration: 8 min, duration_sigma: 0, gangs: {4: 1}}");
  const Job& job = workload.jobs[7];
  EXPECT_EQ(job.name, "job-7");
  EXPECT_EQ(job.model, "");
  EXPECT_EQ(job.run_time, minutes(8));
  EXPECT_DOUBLE_EQ(job.work_samples, 480.0);
  EXPECT_EQ(job.total_batch, 4);
}

TEST(Poisson, RunTimeJobsRefuseWhatNeedsAModel) {
  EXPECT_THAT(test::message_of([] {
                (void)test::make_workload(
                    "{source: poisson, jobs: 2, mean_interarrival: 1 s, run_time_jobs: true, "
                    "work_fraction: 0.1}");
              }),
              testing::HasSubstr("workload.work_fraction: needs models"));
}

}  // namespace
}  // namespace mimus::workloads
