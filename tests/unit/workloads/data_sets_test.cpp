// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Data sets that jobs name or draw.
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "tests/unit/workloads/trace_files.hpp"
#include "workloads/traces/native/native_csv_writer.hpp"

namespace mimus::workloads {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(DataSets, AJobHasTheSizeOfTheOneItNames) {
  const Workload workload = test::make_workload(
      "{source: jobs, data_sets: [{name: images, size: 2 GB, share: 0}], jobs: [{run_time: 5 s, "
      "data_set: images}, {run_time: 5 s, data_set: own, data_size: 3 GB}, {run_time: 5 s}]}");

  EXPECT_EQ(workload.jobs[0].data_size, Bytes{2e9});
  EXPECT_EQ(workload.jobs[1].data_size, Bytes{3e9});
  EXPECT_EQ(workload.jobs[2].data_set, "");
}

TEST(DataSets, AreDrawnByTheirSharesAmongThoseThatAJobMayRead) {
  const Workload workload = test::make_workload(
      "{source: poisson, jobs: 3000, mean_interarrival: 1 s, mix: {resnet18: 1, neumf: 1}, "
      "virtual_clusters: 2, users: 2, data_sets: [{name: a, size: 1 GB, share: 3, models: "
      "[resnet18]}, {name: b, size: 2 GB, share: 1, models: [resnet18]}, {name: c, size: 1 GB, "
      "virtual_clusters: [vc-1], models: [neumf]}]}");
  std::map<std::string, int> drawn;
  int resnets = 0;
  for (const Job& job : workload.jobs) {
    ++drawn[job.data_set];
    resnets += job.model == "resnet18" ? 1 : 0;
    EXPECT_EQ(job.data_set == "c", job.model == "neumf" && job.virtual_cluster == "vc-1");
    EXPECT_EQ(job.data_set.empty(), job.model == "neumf" && job.virtual_cluster == "vc-0");
    EXPECT_EQ(job.data_size == Bytes{2e9}, job.data_set == "b");
  }

  EXPECT_EQ(drawn["a"] + drawn["b"], resnets);
  EXPECT_NEAR(drawn["a"], 0.75 * resnets, 4 * std::sqrt(0.1875 * resnets));
}

TEST(DataSets, ATableOfThemChangesTheHashAndNothingElseOfTheJobs) {
  const char* plain = "{source: poisson, jobs: 20, mean_interarrival: 1 s}";
  const Workload without = test::make_workload(plain);
  const Workload with = test::make_workload(
      "{source: poisson, jobs: 20, mean_interarrival: 1 s, data_sets: [{name: a, size: 1 GB}]}");

  EXPECT_NE(with.source_hash, without.source_hash);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(with.jobs[i].arrival, without.jobs[i].arrival);
    EXPECT_EQ(with.jobs[i].data_set, "a");
  }
}

TEST(DataSets, WhatContradictsIsRefused) {
  const auto message = [](const char* yaml) {
    return test::message_of([yaml] { (void)test::make_workload(yaml); });
  };
  EXPECT_THAT(message("{source: jobs, jobs: [{run_time: 5 s, data_size: 3 GB}]}"),
              HasSubstr("data_size: needs a data set; name it in data_set"));
  EXPECT_THAT(message("{source: jobs, data_sets: [{name: a, size: 1 GB}, {name: a, size: 2 GB}], "
                      "jobs: [{run_time: 5 s}]}"),
              HasSubstr("\"a\" is given twice"));
  EXPECT_THAT(message("{source: jobs, data_sets: [{name: a, size: 1 GB}], jobs: [{run_time: 5 s, "
                      "data_set: a, data_size: 2 GB}]}"),
              HasSubstr("state it once"));
}

class NativeDataSets : public test::TraceFiles {};

TEST_F(NativeDataSets, AreWrittenWhereAJobHasThemAndReadAgain) {
  Workload workload;
  for (int id = 0; id < 3; ++id) {
    Job job;
    job.id = JobId{id};
    job.name = "job";
    job.run_time = std::chrono::seconds(5);
    workload.jobs.push_back(job);
  }
  std::ostringstream without;
  write_csv(workload, without);
  EXPECT_THAT(without.str(), Not(HasSubstr("data_set")));
  workload.jobs[1].data_set = "images, small";
  workload.jobs[1].data_size = Bytes{1.5e9};
  workload.jobs[2].data_set = "text";
  workload.jobs[0].application = "search";
  std::ostringstream with;
  write_csv(workload, with);
  EXPECT_THAT(with.str(), HasSubstr("failures,data_set,data_size,application\n"));
  write(with.str());
  const Workload again = read("csv");
  ASSERT_EQ(again.jobs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.jobs[i].data_set, workload.jobs[i].data_set);
    EXPECT_EQ(again.jobs[i].data_size, workload.jobs[i].data_size);
    EXPECT_EQ(again.jobs[i].application, workload.jobs[i].application);
  }
}

}  // namespace
}  // namespace mimus::workloads
