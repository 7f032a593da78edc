// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

using test::make_workload;

std::string error_of(const std::string& jobs, int cluster_gpus = 8) {
  return test::message_of(
      [&] { (void)make_workload("source: jobs\njobs:\n" + jobs, cluster_gpus); });
}

TEST(JobList, ReadsAJobWithItsDefaults) {
  const Workload workload =
      make_workload("{source: jobs, jobs: [{model: bert-base, samples: 500}]}");
  ASSERT_EQ(workload.jobs.size(), 1U);
  const Job& job = workload.jobs[0];
  EXPECT_EQ(job.id, JobId{0});
  EXPECT_EQ(job.name, "bert-base-0");
  EXPECT_EQ(job.gang, 1);
  EXPECT_EQ(job.total_batch, 12);
  EXPECT_DOUBLE_EQ(job.work_samples, 500.0);
  EXPECT_EQ(job.arrival, Instant{});
  EXPECT_EQ(job.user_estimate, Duration{});
}

TEST(JobList, ReadsEverythingAJobCanSay) {
  const Workload workload = make_workload(R"(
source: jobs
jobs:
  - {model: resnet18, gang: 2, batch: 512, arrival: 90 s, duration: 1 min, user: ann,
     virtual_cluster: vision, name: first, estimate: 5 min,
     gpu_types: [V100, P100], stages: {input: 446 ms, compute: 8 ms, iteration: 490 ms},
     failures: [{at: 0.5, reason: broken cable}, {at: 0.75}, {after: 2 h, recurs: true}]}
)");
  const Job& job = workload.jobs.at(0);
  EXPECT_EQ(job.name, "first");
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.virtual_cluster, "vision");
  EXPECT_EQ(job.total_batch, 512);
  EXPECT_EQ(job.arrival, Instant{std::chrono::seconds(90)});
  EXPECT_EQ(job.user_estimate, std::chrono::minutes(5));
  const StageTimes stages{.input = std::chrono::milliseconds(446),
                          .compute = std::chrono::milliseconds(8),
                          .network = {},
                          .iteration = std::chrono::milliseconds(490)};
  EXPECT_EQ(job.stages, stages);
  EXPECT_EQ(job.gpu_types, (std::vector<std::string>{"V100", "P100"}));
  EXPECT_DOUBLE_EQ(job.work_samples,
                   60.0 * 2 * test::catalogue().at("resnet18").reference_throughput);
  ASSERT_EQ(job.failures.failures.size(), 3U);
  EXPECT_EQ(job.failures.failures[0].reason, "broken cable");
  EXPECT_DOUBLE_EQ(job.failures.failures[1].at_progress, 0.75);
  EXPECT_EQ(job.failures.failures[2].after, std::chrono::hours(2));
  EXPECT_TRUE(job.failures.failures[2].recurs);
}

TEST(JobList, AJobWithARunTimeNeedsNoModel) {
  const Workload workload = make_workload(
      "{source: jobs, jobs: [{run_time: 90 s, gang: 4, group: nightly}, "
      "{run_time: 1 h, gpu_share: 0.25}]}");
  const Job& gang = workload.jobs.at(0);
  EXPECT_EQ(gang.name, "job-0");
  EXPECT_EQ(gang.model, "");
  EXPECT_EQ(gang.run_time, std::chrono::seconds(90));
  EXPECT_DOUBLE_EQ(gang.work_samples, 90.0);
  EXPECT_EQ(gang.total_batch, 4);
  EXPECT_EQ(gang.group, "nightly");
  EXPECT_DOUBLE_EQ(workload.jobs.at(1).gpu_share, 0.25);
}

TEST(JobList, ARunTimeIsTheWorkOfAModelThatStatesNone) {
  const double rate = test::catalogue().at("resnet18").reference_throughput;
  const Workload workload = make_workload(
      "{source: jobs, jobs: [{model: resnet18, run_time: 60 s, gang: 2}, "
      "{model: resnet18, run_time: 60 s, samples: 7}]}");
  EXPECT_DOUBLE_EQ(workload.jobs.at(0).work_samples, 60.0 * 2 * rate);
  EXPECT_EQ(workload.jobs.at(0).run_time, std::chrono::minutes(1));
  EXPECT_DOUBLE_EQ(workload.jobs.at(1).work_samples, 7.0);
}

TEST(JobList, RefusesWorkBesideARunTimeWithoutAModel) {
  EXPECT_EQ(error_of("  - {run_time: 1 s, samples: 3}\n"),
            "w.yaml:3:5: workload.jobs[0]: a job without a model has a run_time only, which is "
            "its work");
}

TEST(JobList, RefusesPartsOfGpusForAGang) {
  EXPECT_EQ(error_of("  - {run_time: 1 s, gang: 2, gpu_share: 0.5}\n"),
            "w.yaml:3:41: workload.jobs[0].gpu_share: a gang of several GPUs cannot have parts of "
            "GPUs");
}

TEST(JobList, SortsByArrivalAndKeepsTheOrderOfEqualOnes) {
  const Workload workload = make_workload(R"(
source: jobs
jobs:
  - {model: gpt, samples: 1, arrival: 2 s, name: late}
  - {model: gpt, samples: 1, arrival: 1 s, name: a}
  - {model: gpt, samples: 1, arrival: 1 s, name: b}
)");
  EXPECT_EQ(workload.jobs[0].name, "a");
  EXPECT_EQ(workload.jobs[1].name, "b");
  EXPECT_EQ(workload.jobs[2].name, "late");
  EXPECT_EQ(workload.jobs[2].id, JobId{2});
}

TEST(JobList, HashDependsOnContentNotOnLayout) {
  const auto hash = [](const std::string& jobs) {
    return make_workload("source: jobs\njobs: " + jobs).source_hash;
  };
  EXPECT_EQ(hash("[{model: gpt, samples: 1}]"), hash("[ {samples: 1, model: gpt} ]"));
  EXPECT_NE(hash("[{model: gpt, samples: 1}]"), hash("[{model: gpt, samples: 2}]"));
  EXPECT_EQ(hash("[{model: gpt, samples: 1}]").size(), 16U);
}

TEST(JobList, RefusesAnUnknownModel) {
  EXPECT_THAT(error_of("  - {model: resnet, samples: 1}\n"),
              testing::StartsWith("w.yaml:3:13: workload.jobs[0].model: unknown model \"resnet\"; "
                                  "did you mean \"resnet18\"? allowed: bert-base, "));
}

TEST(JobList, RefusesAGangLargerThanTheCluster) {
  EXPECT_EQ(error_of("  - {model: gpt, samples: 1, gang: 9}\n"),
            "w.yaml:3:36: workload.jobs[0]: asks for 9 GPUs, but the cluster has 8");
}

TEST(JobList, RefusesABatchSmallerThanTheGang) {
  EXPECT_EQ(error_of("  - {model: gpt, samples: 1, gang: 4, batch: 3}\n"),
            "w.yaml:3:36: workload.jobs[0]: a batch of 3 gives 4 GPUs less than one sample each");
}

TEST(JobList, RefusesAnEmptyList) {
  EXPECT_EQ(test::message_of([] { (void)make_workload("{source: jobs, jobs: []}"); }),
            "w.yaml:1:22: workload.jobs: needs at least one job");
}

TEST(JobList, RefusesUnknownKeysOfAJob) {
  EXPECT_EQ(error_of("  - {model: gpt, samples: 1, gpus: 2}\n"),
            "w.yaml:3:36: workload.jobs[0]: unknown key \"gpus\"; allowed: "
            "application, arrival, batch, batch_plan, class, cores, data_set, data_size, deadline, "
            "duration, "
            "estimate, "
            "failures, "
            "fraction, gang, gang_max, gang_min, "
            "gpu_share, gpu_types, group, host_memory, host_share, model, "
            "name, rates, run_time, samples, stages, user, virtual_cluster");
}

}  // namespace
}  // namespace mimus::workloads
