// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Compares the statistics of `pai-like` with those of Alibaba PAI on which it is based.
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/statistics/statistics_collector.hpp"

namespace mimus::workloads {
namespace {

const WorkloadStatistics& of_100000() {
  static const WorkloadStatistics s = [] {
    const auto source = make_workload_source(
        parse_yaml("{source: pai-like, jobs: 100000, mean_interarrival: 5 s}", "w.yaml"), "w");
    return statistics_of(*source->open({test::catalogue(), 3, 4096}), test::catalogue());
  }();
  return s;
}

// NSDI'22: 5 % of the users submit 77 %. Of 1,300 users, nearly all appear.
TEST(PaiLike, FewUsersSubmitMostJobs) {
  EXPECT_NEAR(top_share(of_100000().users, 0.05), 0.77, 0.03);
  EXPECT_GT(of_100000().users.size(), 1100U);
}

// NSDI'22: 65 % of the tasks run at least five times. With twenty runs on average, a Poisson number
// of runs is below five with probability 2e-5. The first and last groups are cut short.
TEST(PaiLike, TwoThirdsOfTheJobsRecur) {
  const Recurrence& r = of_100000().recurrence;
  EXPECT_NEAR(static_cast<double>(r.recurring_jobs) / 100'000.0, 0.65, 0.02);
  EXPECT_NEAR(static_cast<double>(r.jobs) / static_cast<double>(r.groups), 20.0, 3.0);
}

TEST(PaiLike, RunsOfAGroupAreAlike) {
  EXPECT_NEAR(of_100000().recurrence.spread, 0.2, 0.005);
}

// 15 % of the instances are alone, and 20 % are in gangs of more than 100. About 38,000 groups and
// one-off jobs are drawn, few of them large.
TEST(PaiLike, MostInstancesAreInGangs) {
  double instances = 0.0, alone = 0.0, above_100 = 0.0;
  for (const GangClass& gang : of_100000().gangs) {
    const double of_gang = static_cast<double>(gang.jobs) * gang.gpus;
    instances += of_gang;
    if (gang.gpus == 1) alone += of_gang;
    if (gang.gpus > 100) above_100 += of_gang;
  }
  EXPECT_NEAR(alone / instances, 0.15, 0.03);
  EXPECT_NEAR(above_100 / instances, 0.20, 0.06);
}

// 20 % of the gangs of 1 (58 % of the jobs) request a quarter of a GPU, and 35 % request half.
TEST(PaiLike, SingleInstancesShareGpus) {
  std::map<double, double> share(of_100000().gpu_shares.begin(), of_100000().gpu_shares.end());
  const auto single = static_cast<double>(of_100000().gangs.front().jobs);
  EXPECT_EQ(share.size(), 2U);
  EXPECT_NEAR(share[0.25] / single, 0.20, 0.02);
  EXPECT_NEAR(share[0.5] / single, 0.35, 0.02);
}

// AcmeTrace's summary of PAI: median 480.7 s, mean 4,787 s. With 38,000 independent draws and a
// standard deviation near 4 times the mean, the mean is accurate to 2 %, or about 4 % weighted by
// groups.
TEST(PaiLike, RunTimesHaveMedianAndMeanOfPai) {
  EXPECT_NEAR(of_100000().run_times.quantile(0.5), 480.7, 0.08 * 480.7);
  EXPECT_NEAR(of_100000().run_times.mean(), 4787.0, 0.15 * 4787.0);
}

// The reason why history is useful: the mean of a group's earlier runs is off by less than 25 % in
// 78 % of the cases (NSDI'22).
TEST(PaiLike, HistoryPredictsRecurringJobs) {
  const auto workload =
      test::make_workload("{source: pai-like, jobs: 20000, mean_interarrival: 5 s}", 4096);
  std::map<std::string, std::pair<double, double>> history;  // sum, runs
  double predicted = 0.0, close = 0.0;
  for (const Job& job : workload.jobs) {
    if (job.group.empty()) continue;
    auto& [sum, runs] = history[job.group];
    const double run_time = to_seconds(job.run_time);
    if (runs >= 4.0) {
      predicted += 1.0;
      close += std::abs(sum / runs / run_time - 1.0) < 0.25 ? 1.0 : 0.0;
    }
    sum += run_time;
    runs += 1.0;
  }
  EXPECT_NEAR(close / predicted, 0.78, 0.05);
}

TEST(PaiLike, RunsOfAGroupAskForTheSame) {
  std::map<std::string, std::tuple<std::string, int, double, std::vector<std::string>>> first;
  const auto workload = test::make_workload(
      "{source: pai-like, jobs: 3000, mean_interarrival: 5 s, gpu_types: {T4: 0.3, V100: 0.2}}",
      4096);
  for (const Job& job : workload.jobs) {
    if (job.group.empty()) continue;
    const std::tuple request{job.user, job.gang, job.gpu_share, job.gpu_types};
    EXPECT_EQ(first.emplace(job.group, request).first->second, request);
  }
  EXPECT_GT(first.size(), 50U);
}

// 1,000 groups or so: a share of .3 has a standard deviation of .015 there.
TEST(PaiLike, SomeJobsNameAGpuTypeAndAllAskForCores) {
  const auto workload = test::make_workload(
      "{source: pai-like, jobs: 20000, mean_interarrival: 5 s, gpu_types: {T4: 0.3, V100: 0.2}, "
      "cores_per_gpu: 12.5, host_memory_per_gpu: 8 GB}",
      4096);
  std::map<std::string, double> named;
  for (const Job& job : workload.jobs) {
    named[job.gpu_types.empty() ? "" : job.gpu_types.front()] += 1.0 / 20'000.0;
    EXPECT_NEAR(job.cores, 12.5 * job.gang * job.gpu_share, 0.0005);
    EXPECT_DOUBLE_EQ(job.host_memory.value, 8e9 * job.gang * job.gpu_share);
  }
  EXPECT_NEAR(named.at("T4"), 0.3, 0.05);
  EXPECT_NEAR(named.at("V100"), 0.2, 0.05);
  EXPECT_EQ(named.size(), 3U);
}

TEST(PaiLike, RefusesMoreTypedJobsThanThereAre) {
  EXPECT_THAT(test::message_of([] {
                (void)test::make_workload(
                    "{source: pai-like, jobs: 2, load: 1, gpu_types: {T4: 0.6, V100: 0.5}}");
              }),
              testing::HasSubstr("gpu_types: shares of jobs add up to more than 1"));
}

TEST(PaiLike, GangsAboveTheClusterAreLeftOutWithANote) {
  const auto workload = test::make_workload("{source: pai-like, jobs: 500, load: 0.5}", 64);
  EXPECT_THAT(workload.notes,
              testing::ElementsAre("gang sizes 128, 256 left out: the cluster has 64 GPUs"));
  for (const Job& job : workload.jobs) EXPECT_LE(job.gang, 64);
}

TEST(PaiLike, LoadCountsSharesOfGpus) {
  const std::string yaml =
      "{source: pai-like, jobs: 40000, load: 0.5, arrivals: poisson, gangs: {1: 1}, "
      "gpu_shares: {0.25: 1}, median_run_time: 10 min, mean_run_time: 12 min}";
  const auto source = make_workload_source(parse_yaml(yaml, "w.yaml"), "w");
  const auto s = statistics_of(*source->open({test::catalogue(), 5, 64}), test::catalogue());
  EXPECT_NEAR(*s.offered_load(64), 0.5, 0.03);
}

TEST(PaiLike, RefusesSharesAboveAGpu) {
  EXPECT_THAT(
      test::message_of([] {
        (void)test::make_workload("{source: pai-like, jobs: 2, load: 1, gpu_shares: {1.5: 1}}");
      }),
      testing::HasSubstr("a share is a number above 0 and at most 1"));
}

}  // namespace
}  // namespace mimus::workloads
