// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

TEST(Recurring, RunsComeEveryPeriod) {
  const auto workload = test::make_workload(
      "{source: recurring, jobs: 3, groups: [{tag: train, period: 2 h, offset: 5 min, "
      "run_time: 10 min, run_time_sigma: 0, gang: 4, user: ann, virtual_cluster: vision}]}");
  for (std::size_t i = 0; i < 3; ++i) {
    const Job& job = workload.jobs[i];
    EXPECT_EQ(job.arrival, Instant{minutes(5) + static_cast<int>(i) * hours(2)});
    EXPECT_EQ(job.group, "train");
    EXPECT_EQ(job.gang, 4);
    EXPECT_NEAR(to_seconds(job.run_time), 600.0, 1e-6);
    EXPECT_EQ(job.user, "ann");
    EXPECT_EQ(job.virtual_cluster, "vision");
  }
}

// In 2 h: a at 0, 30, 60, 90 min; b at 10 and 70 min.
TEST(Recurring, GroupsAreInterleaved) {
  const auto workload = test::make_workload(
      "{source: recurring, jobs: 6, groups: [{tag: a, period: 30 min, run_time: 1 min}, "
      "{tag: b, period: 1 h, offset: 10 min, run_time: 1 min}]}");
  std::string order;
  for (const Job& job : workload.jobs) order += job.group;
  EXPECT_EQ(order, "abaaba");
}

TEST(Recurring, EqualArrivalsKeepTheOrderOfTheList) {
  const auto workload = test::make_workload(
      "{source: recurring, jobs: 4, groups: [{tag: z, period: 1 h, run_time: 1 min}, "
      "{tag: a, period: 1 h, run_time: 1 min}]}");
  std::string order;
  for (const Job& job : workload.jobs) order += job.group;
  EXPECT_EQ(order, "zaza");
}

TEST(Recurring, JitterIsALatenessBelowItsLimit) {
  const auto workload = test::make_workload(
      "{source: recurring, jobs: 500, groups: [{tag: a, period: 1 h, jitter: 20 min, "
      "run_time: 1 min}]}");
  double sum = 0.0;
  for (std::size_t i = 0; i < 500; ++i) {
    const Duration late =
        workload.jobs[i].arrival.time_since_epoch() - static_cast<int>(i) * hours(1);
    EXPECT_GE(late, Duration{});
    EXPECT_LE(late, minutes(20));
    sum += to_seconds(late) / 500.0;
  }
  EXPECT_NEAR(sum, 600.0, 60.0);  // 346 s / sqrt(500) = 15 s
}

TEST(Recurring, CopiesHaveTagsAndOffsetsOfTheirOwn) {
  const auto workload = test::make_workload(
      "{source: recurring, jobs: 30, groups: [{tag: a, period: 1 h, copies: 3, run_time: 1 min}]}");
  std::map<std::string, int> runs;
  for (const Job& job : workload.jobs) ++runs[job.group];
  EXPECT_EQ(runs, (std::map<std::string, int>{{"a-0", 10}, {"a-1", 10}, {"a-2", 10}}));
  EXPECT_LT(workload.jobs[2].arrival, Instant{hours(1)});
}

TEST(Recurring, RunTimesScatterAroundTheMean) {
  const auto workload = test::make_workload(
      "{source: recurring, jobs: 4000, groups: [{tag: a, period: 1 h, run_time: 10 min, "
      "run_time_sigma: 0.3}]}");
  double sum = 0.0;
  for (const Job& job : workload.jobs) sum += to_seconds(job.run_time) / 4000.0;
  EXPECT_NEAR(sum, 600.0, 12.0);  // 0.307 / sqrt(4000) = 0.5 %
}

TEST(Recurring, RefusesJitterBeyondThePeriod) {
  EXPECT_EQ(test::message_of([] {
              (void)test::make_workload(
                  "{source: recurring, jobs: 1, groups: [{tag: a, period: 1 h, jitter: 2 h, "
                  "run_time: 1 min}]}");
            }),
            "w.yaml:1:69: workload.groups[0].jitter: must not be longer than the period");
}

TEST(Recurring, RefusesEqualTags) {
  EXPECT_THAT(test::message_of([] {
                (void)test::make_workload(
                    "{source: recurring, jobs: 1, groups: [{tag: a, period: 1 h, run_time: 1 min}, "
                    "{tag: a, period: 2 h, run_time: 1 min}]}");
              }),
              testing::HasSubstr("two groups have the tag \"a\""));
}

TEST(Recurring, RefusesGangsAboveTheCluster) {
  EXPECT_THAT(test::message_of([] {
                (void)test::make_workload(
                    "{source: recurring, jobs: 1, groups: [{tag: a, period: 1 h, run_time: 1 min, "
                    "gang: 9}]}",
                    8);
              }),
              testing::HasSubstr("groups[0].gang: asks for 9 GPUs, but the cluster has 8"));
}

}  // namespace
}  // namespace mimus::workloads
