// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/jobs/run_times.hpp"

namespace mimus::workloads {
namespace {

using test::make_workload;

const std::string kMany = "source: poisson\njobs: 4000\nmean_interarrival: 30 s\n";

template <class Value>
double mean(const Workload& workload, Value value) {
  double sum = 0.0;
  for (const Job& job : workload.jobs) sum += value(job);
  return sum / static_cast<double>(workload.jobs.size());
}

double run_time_seconds(const Job& job) {
  return to_seconds(RunTimes{}.of(job, test::catalogue()));
}

// The mean of n exponentials has a relative standard error of 1/sqrt(n): 1.6 % at 4000.
TEST(Poisson, ArrivalsHaveTheAskedMeanGap) {
  const Workload workload = make_workload(kMany);
  EXPECT_NEAR(to_seconds(workload.jobs.back().arrival) / 4000.0, 30.0, 4 * 0.016 * 30.0);
}

// A share p over n draws has a standard error of sqrt(p (1 - p) / n) <= 0.8 % at 4000.
TEST(Poisson, DefaultMixIsThatOfPollux) {
  std::map<std::string, double> share;
  for (const Job& job : make_workload(kMany).jobs) share[job.model] += 1.0 / 4000.0;
  EXPECT_EQ(share.size(), 6U);
  EXPECT_NEAR(share["resnet18"], 0.36, 0.03);
  EXPECT_NEAR(share["neumf"], 0.36, 0.03);
  EXPECT_NEAR(share["bert-base"], 0.10, 0.02);
  EXPECT_NEAR(share["resnet50"], 0.02, 0.01);
}

// Whatever gang is drawn, a job of gpt@t2p2 has a multiple of 4 GPUs and one of claire@t2 has 2.
TEST(Poisson, GangsOfSplitModelsAreWholeReplicas) {
  const Workload workload =
      make_workload(kMany + "mix: {gpt@t2p2: 1, claire@t2: 1, resnet18: 1}\ngangs: {1: 1, 6: 1}\n");
  std::map<std::string, std::set<int>> gangs;
  for (const Job& job : workload.jobs) gangs[job.model].insert(job.gang);
  EXPECT_THAT(gangs["gpt@t2p2"], testing::ElementsAre(4, 8));
  EXPECT_THAT(gangs["claire@t2"], testing::ElementsAre(2));
  EXPECT_THAT(gangs["resnet18"], testing::ElementsAre(1, 6));
}

// Of one model in three a drawn GPU becomes four, of another two: 7/3 GPUs of 8 minutes per job. At
// half of 64 GPUs a job comes every 35 s; the mean of 4000 gaps is within 7 %.
TEST(Poisson, TheLoadIsThatOfWholeReplicas) {
  const Workload workload = make_workload(
      "source: poisson\njobs: 4000\nload: 0.5\nduration: 8 min\nduration_sigma: 0\n"
      "mix: {gpt@t2p2: 1, claire@t2: 1, resnet18: 1}\ngangs: {1: 1}\n");
  EXPECT_NEAR(to_seconds(workload.jobs.back().arrival) / 4000.0, 35.0, 0.07 * 35.0);
}

TEST(Poisson, WeightOfZeroNeverComesUp) {
  const Workload workload = make_workload(kMany + "mix: {resnet50: 0, gpt: 2, yolov3: 1}\n");
  const double gpt = mean(workload, [](const Job& job) { return job.model == "gpt" ? 1.0 : 0.0; });
  EXPECT_NEAR(gpt, 2.0 / 3.0, 0.03);
  for (const Job& job : workload.jobs) EXPECT_NE(job.model, "resnet50");
}

// sigma 0.5: the lognormal factor has mean 1 and standard deviation sqrt(e^0.25 - 1) = 0.533, so
// the mean of 4000 draws is within 3 % with near certainty.
TEST(Poisson, RunTimesHaveTheAskedMeanWhateverTheGang) {
  const Workload workload = make_workload(kMany + "duration: 8 min\nduration_sigma: 0.5\n");
  EXPECT_NEAR(mean(workload, run_time_seconds), 480.0, 0.035 * 480.0);
}

TEST(Poisson, WithoutSpreadEveryRunTimeIsTheMean) {
  const Workload workload = make_workload(kMany + "duration: 8 min\nduration_sigma: 0\n");
  for (const Job& job : workload.jobs) EXPECT_NEAR(run_time_seconds(job), 480.0, 1e-6);
}

TEST(Poisson, WorkCanBeAShareOfThePublishedTraining) {
  const Workload workload = make_workload(kMany + "work_fraction: 0.01\nmix: {resnet18: 1}\n");
  EXPECT_DOUBLE_EQ(workload.jobs[0].work_samples, 50000.0);
}

TEST(Poisson, EstimatesAreExactWithoutError) {
  const Workload workload = make_workload(kMany + "estimate_error: 0\n");
  for (const Job& job : workload.jobs) {
    EXPECT_NEAR(to_seconds(job.user_estimate), run_time_seconds(job), 1e-6);
  }
}

// ln(estimate / run time) is normal with the requested sigma. Its sample deviation at n = 4000 is
// within 5 %.
TEST(Poisson, EstimatesErrByTheAskedSpread) {
  const Workload workload = make_workload(kMany + "estimate_error: 0.4\n");
  const double variance = mean(workload, [](const Job& job) {
    return std::pow(std::log(to_seconds(job.user_estimate) / run_time_seconds(job)), 2.0);
  });
  EXPECT_NEAR(std::sqrt(variance), 0.4, 0.02);
}

TEST(Poisson, FailuresStrikeTheAskedShareOnce) {
  const Workload workload = make_workload(kMany + "failure_rate: 0.2\n");
  EXPECT_NEAR(
      mean(workload,
           [](const Job& job) { return static_cast<double>(job.failures.failures.size()); }),
      0.2, 0.03);
  EXPECT_TRUE(make_workload(kMany).jobs[0].failures.failures.empty());
}

TEST(Poisson, UsersBelongToOneVirtualCluster) {
  const Workload workload = make_workload(kMany + "users: 6\nvirtual_clusters: 3\n");
  std::map<std::string, std::string> cluster_of;
  for (const Job& job : workload.jobs) {
    EXPECT_EQ(cluster_of.emplace(job.user, job.virtual_cluster).first->second, job.virtual_cluster);
  }
  EXPECT_EQ(cluster_of.size(), 6U);
}

TEST(Poisson, ScaledBatchesGrowWithTheGang) {
  const Workload workload =
      make_workload(kMany + "mix: {resnet18: 1}\ngangs: {4: 1}\nbatch: scaled\n");
  EXPECT_EQ(workload.jobs[0].total_batch, 512);
}

TEST(Poisson, LeavesOutDefaultGangsAboveTheClusterAndSaysSo) {
  const Workload workload = make_workload(kMany, 2);
  EXPECT_THAT(workload.notes,
              testing::ElementsAre("gang sizes 4, 8 left out: the cluster has 2 GPUs"));
}

TEST(Poisson, RefusesAskedGangsAboveTheCluster) {
  EXPECT_EQ(test::message_of([] { (void)make_workload(kMany + "gangs: {1: 1, 16: 1}\n", 8); }),
            "w.yaml:4:19: gangs: gangs of 16 GPUs do not fit the cluster, which has 8");
}

TEST(Poisson, RefusesUnknownModelsInTheMix) {
  EXPECT_THAT(test::message_of([] { (void)make_workload(kMany + "mix: {resnet: 1}\n"); }),
              testing::StartsWith("w.yaml:4:15: workload.mix: unknown model \"resnet\"; did you "
                                  "mean \"resnet18\"? allowed: "));
}

TEST(Poisson, RefusesWorkStatedTwice) {
  EXPECT_EQ(
      test::message_of([] { (void)make_workload(kMany + "duration: 1 s\nwork_fraction: 0.5\n"); }),
      "w.yaml:5:16: workload.work_fraction: cannot be combined with \"duration\": state the work "
      "once");
}

TEST(Poisson, RefusesAMachineForRunTimesThatAreNoneOrNoModels) {
  const auto error = [](const std::string& more) {
    return test::message_of([&] { (void)make_workload(kMany + "duration_on: T4\n" + more); });
  };
  EXPECT_THAT(error("work_fraction: 0.5\n"),
              testing::HasSubstr("workload.duration_on: has no effect with"));
  EXPECT_THAT(error("run_time_jobs: true\n"),
              testing::HasSubstr("workload.duration_on: needs models"));
}

TEST(Poisson, RefusesGangSizesThatAreNone) {
  EXPECT_EQ(test::message_of([] { (void)make_workload(kMany + "gangs: {two: 1}\n"); }),
            "w.yaml:4:14: workload.gangs.two: a gang size is an integer from 1 to 1000000");
  EXPECT_EQ(test::message_of([] { (void)make_workload(kMany + "gangs: {2: 0}\n"); }),
            "w.yaml:4:8: workload.gangs: needs at least one weight above 0");
}

std::vector<Instant> arrivals(const std::string& yaml) {
  std::vector<Instant> out;
  for (const Job& job : make_workload(yaml).jobs) out.push_back(job.arrival);
  return out;
}

TEST(PoissonStreams, ChangingTheMixDoesNotMoveArrivals) {
  EXPECT_EQ(arrivals(kMany), arrivals(kMany + "mix: {gpt: 1, resnet18: 5}\n"));
}

TEST(PoissonStreams, ChangingRunTimesOrFailuresLeavesModelsAndUsersAlone) {
  const Workload base = make_workload(kMany);
  const Workload changed =
      make_workload(kMany + "duration: 3 h\nfailure_rate: 0.5\nestimate_error: 2\n");
  for (std::size_t i = 0; i < base.jobs.size(); ++i) {
    EXPECT_EQ(base.jobs[i].model, changed.jobs[i].model);
    EXPECT_EQ(base.jobs[i].gang, changed.jobs[i].gang);
    EXPECT_EQ(base.jobs[i].user, changed.jobs[i].user);
  }
}

TEST(PoissonStreams, HashNamesTheParametersNotTheSeed) {
  EXPECT_EQ(make_workload(kMany, 64, 1).source_hash, make_workload(kMany, 64, 2).source_hash);
  EXPECT_NE(make_workload(kMany).source_hash, make_workload(kMany + "users: 3\n").source_hash);
}

}  // namespace
}  // namespace mimus::workloads
