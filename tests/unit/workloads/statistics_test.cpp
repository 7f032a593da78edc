// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/statistics/statistics_collector.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;

// Deviations from the mean 3: -2, -1, 0, 3. Squares 14, divided by n - 1 = 3.
TEST(Distribution, HasMomentsAndOrderStatistics) {
  const Distribution d({6.0, 1.0, 3.0, 2.0});
  EXPECT_EQ(d.count(), 4);
  EXPECT_DOUBLE_EQ(d.mean(), 3.0);
  EXPECT_DOUBLE_EQ(d.deviation(), std::sqrt(14.0 / 3.0));
  EXPECT_DOUBLE_EQ(d.min(), 1.0);
  EXPECT_DOUBLE_EQ(d.max(), 6.0);
  EXPECT_DOUBLE_EQ(d.quantile(0.5), 2.5);
  EXPECT_DOUBLE_EQ(d.quantile(0.9), 5.1);  // position 2.7 between 3 and 6
  EXPECT_DOUBLE_EQ(d.quantile(1.0), 6.0);
  EXPECT_DOUBLE_EQ(d.share_up_to(3.0), 0.75);
  EXPECT_DOUBLE_EQ(d.share_up_to(0.5), 0.0);
}

TEST(Distribution, IsZeroWithoutValues) {
  const Distribution none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.mean(), 0.0);
  EXPECT_EQ(none.quantile(0.5), 0.0);
  EXPECT_EQ(none.share_up_to(1.0), 0.0);
  EXPECT_EQ(none.variation(), 0.0);
}

Job job(Duration arrival, Duration run_time, int gang, const std::string& user) {
  Job out;
  out.name = "job";
  out.arrival = Instant{arrival};
  out.run_time = run_time;
  out.gang = gang;
  out.user = user;
  out.work_samples = to_seconds(run_time);
  return out;
}

WorkloadStatistics of(const std::vector<Job>& jobs) {
  StatisticsCollector collector(test::catalogue());
  for (const Job& each : jobs) collector.add(each);
  return collector.finish();
}

// 100 s · 1, 200 s · 4 and 300 s · half a GPU are 100 + 800 + 150 = 1050 GPU-s over 500 s: 2.1
// GPUs.
std::vector<Job> three_jobs() {
  std::vector<Job> jobs{job(seconds(0), seconds(100), 1, "ann"),
                        job(seconds(400), seconds(200), 4, "bob"),
                        job(seconds(500), seconds(300), 1, "ann")};
  jobs[2].gpu_share = 0.5;
  return jobs;
}

TEST(WorkloadStatistics, CountGpuTimeAndLoad) {
  const auto s = of(three_jobs());
  EXPECT_EQ(s.jobs, 3);
  EXPECT_DOUBLE_EQ(s.gpu_seconds, 1050.0);
  EXPECT_EQ(s.span(), seconds(500));
  EXPECT_DOUBLE_EQ(s.mean_demand().value(), 2.1);
  EXPECT_DOUBLE_EQ(s.offered_load(4).value(), 0.525);
}

TEST(WorkloadStatistics, LoadNeedsASpan) {
  EXPECT_FALSE(of({job(seconds(9), seconds(1), 1, "ann")}).offered_load(4).has_value());
  EXPECT_FALSE(of({}).mean_demand().has_value());
}

TEST(WorkloadStatistics, GroupGangs) {
  const auto s = of(three_jobs());
  ASSERT_EQ(s.gangs.size(), 2U);
  EXPECT_EQ(s.gangs[0].gpus, 1);
  EXPECT_EQ(s.gangs[0].jobs, 2);
  EXPECT_DOUBLE_EQ(s.gangs[0].gpu_seconds, 250.0);
  EXPECT_DOUBLE_EQ(s.gangs[0].run_times.mean(), 200.0);
  EXPECT_EQ(s.gangs[1].gpus, 4);
  EXPECT_THAT(s.gpu_shares, ElementsAre(std::pair(0.5, std::int64_t{1})));
}

TEST(WorkloadStatistics, MeasureGaps) {
  const auto s = of(three_jobs());
  EXPECT_THAT(s.gaps.values(), ElementsAre(100.0, 400.0));
}

TEST(WorkloadStatistics, PutTheMostActiveUserFirst) {
  const auto s = of(three_jobs());
  ASSERT_EQ(s.users.size(), 2U);
  EXPECT_EQ(s.users[0].name, "ann");
  EXPECT_EQ(s.users[0].jobs, 2);
  EXPECT_DOUBLE_EQ(s.users[0].gpu_seconds, 250.0);
  EXPECT_DOUBLE_EQ(top_share(s.users, 0.05), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(top_share(s.users, 1.0), 1.0);
}

// Day 8 is a second Tuesday; 25 h are hour 1 of day 1.
TEST(WorkloadStatistics, CountArrivalsByHourAndDay) {
  const auto s = of({job(minutes(90), seconds(1), 1, "a"), job(hours(25), seconds(1), 1, "a"),
                     job(hours(8 * 24 + 23), seconds(1), 1, "a")});
  EXPECT_EQ(s.by_hour[1], 2);
  EXPECT_EQ(s.by_hour[23], 1);
  EXPECT_EQ(s.by_day[0], 1);
  EXPECT_EQ(s.by_day[1], 2);
}

TEST(WorkloadStatistics, DivideTheSpanEvenly) {
  const auto s = of({job(seconds(30), seconds(1), 1, "a"), job(seconds(61), seconds(1), 1, "a"),
                     job(seconds(90), seconds(1), 1, "a")});
  ASSERT_EQ(s.timeline.size(), 60U);
  EXPECT_EQ(s.timeline[0], 1);
  EXPECT_EQ(s.timeline[31], 1);  // 31 s of 60
  EXPECT_EQ(s.timeline[59], 1);
}

// Tag a: five runs whose logarithms are 0, 0, 0, 0 and 1: mean 0.2, squares 4 · 0.04 + 0.64 = 0.8
// with 4 degrees of freedom. Tag b: one run.
TEST(WorkloadStatistics, FollowGroups) {
  std::vector<Job> jobs;
  for (int i = 0; i < 6; ++i) jobs.push_back(job(seconds(i), seconds(1), 1, "a"));
  for (int i = 0; i < 5; ++i) jobs[static_cast<std::size_t>(i)].group = "a";
  jobs[4].run_time = from_seconds(std::exp(1.0));
  jobs[5].group = "b";
  jobs.push_back(job(seconds(9), seconds(1), 1, "a"));
  const auto s = of(jobs);
  EXPECT_EQ(s.recurrence.groups, 2);
  EXPECT_EQ(s.recurrence.jobs, 6);
  EXPECT_EQ(s.recurrence.recurring_jobs, 5);
  EXPECT_NEAR(s.recurrence.spread, std::sqrt(0.8 / 4.0), 1e-9);
}

TEST(WorkloadStatistics, CompareEstimates) {
  auto jobs = three_jobs();
  jobs[0].user_estimate = seconds(150);
  jobs[1].user_estimate = seconds(100);
  EXPECT_THAT(of(jobs).estimate_ratios.values(), ElementsAre(0.5, 1.5));
}

TEST(WorkloadStatistics, CountOutcomesAndFailures) {
  auto jobs = three_jobs();
  jobs[0].recorded = RecordedOutcome::passed;
  jobs[1].recorded = RecordedOutcome::passed;
  jobs[2].failures.failures.push_back({0.5, "broken cable"});
  const auto s = of(jobs);
  ASSERT_EQ(s.outcomes.size(), 2U);
  EXPECT_EQ(s.outcomes[0].name, "passed");
  EXPECT_DOUBLE_EQ(s.outcomes[0].gpu_seconds, 900.0);
  EXPECT_EQ(s.outcomes[1].name, "unknown");
  EXPECT_EQ(s.failing_jobs, 1);
}

TEST(WorkloadStatistics, WorkOfAModelHasARunTime) {
  Job trained = job(seconds(0), Duration{}, 2, "a");
  trained.model = "resnet18";
  trained.work_samples = 10.0 * 2.0 * test::catalogue().at("resnet18").reference_throughput;
  const auto s = of({trained});
  EXPECT_NEAR(s.gpu_seconds, 20.0, 1e-6);
  EXPECT_EQ(s.models.front().name, "resnet18");
}

TEST(WorkloadStatistics, NameJobsOfUnknownRunTime) {
  const auto s = of({job(seconds(0), Duration{}, 2, "a")});
  EXPECT_EQ(s.unknown_run_times, 1);
  EXPECT_TRUE(s.run_times.empty());
}

// Counted by an independent program (pandas): 109,570 jobs, 2,679,961.5 GPU-hours, median 1,195.5
// s, mean 29,000.6 s; 95,483 jobs on one GPU; 15 virtual clusters, the largest with 46.78 %.
TEST(WorkloadStatistics, AgreeWithPandasOnPhilly) {
  const auto path = test::shared_folder() / "data" / "philly" / "philly_jobs.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no shared data";
  const auto source = make_workload_source(
      parse_yaml("{source: philly, path: \"" + path.string() + "\"}", "w.yaml"), "workload");
  const auto s = statistics_of(*source->open({test::catalogue(), 1, 4096}), test::catalogue());
  EXPECT_EQ(s.jobs, 109'570);
  EXPECT_NEAR(s.gpu_seconds / 3600.0, 2'679'961.5, 0.1);
  EXPECT_DOUBLE_EQ(s.run_times.quantile(0.5), 1195.5);
  EXPECT_NEAR(s.run_times.mean(), 29'000.6, 0.1);
  EXPECT_EQ(s.gangs.front().jobs, 95'483);
  ASSERT_EQ(s.virtual_clusters.size(), 15U);
  EXPECT_EQ(s.virtual_clusters.front().name, "6214e9");
  EXPECT_NEAR(top_share(s.virtual_clusters, 0.05), 0.4678, 1e-4);
}

}  // namespace
}  // namespace mimus::workloads
