// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kHeader = "name,time,application,num_replicas,batch_size\n";

/// A workload file that lives as long as the test.
class PolluxFile : public testing::Test {
 protected:
  void write(const std::string& rows, const std::string& header = kHeader) {
    std::ofstream(path_, std::ios::binary) << header << rows;
  }
  ~PolluxFile() override { std::remove(path_.c_str()); }

  Workload read(const std::string& parameters = "", int cluster_gpus = 64) const {
    return test::make_workload("{source: pollux, path: \"" + path_ + "\"" + parameters + "}",
                               cluster_gpus);
  }
  std::string error(const std::string& parameters = "", int cluster_gpus = 64) const {
    return test::message_of([&] { (void)read(parameters, cluster_gpus); });
  }

  const std::string path_ = testing::TempDir() + "mimus_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST_F(PolluxFile, MapsApplicationsToModels) {
  write(
      "a,0,bert,1,12\nb,1,cifar10,1,128\nc,2,deepspeech2,1,20\n"
      "d,3,imagenet,1,200\ne,4,ncf,1,256\nf,5,yolov3,1,8\n");
  std::vector<std::string> models;
  for (const Job& job : read().jobs) models.push_back(job.model);
  EXPECT_THAT(models,
              ElementsAre("bert-base", "resnet18", "deepspeech2", "resnet50", "neumf", "yolov3"));
}

TEST_F(PolluxFile, KeepsGangBatchNameAndArrival) {
  write("cifar10-0,107,cifar10,6,2048\n");
  const Workload workload = read();
  const Job& job = workload.jobs.at(0);
  EXPECT_EQ(job.name, "cifar10-0");
  EXPECT_EQ(job.gang, 6);
  EXPECT_EQ(job.total_batch, 2048);
  EXPECT_EQ(job.arrival, Instant{std::chrono::seconds(107)});
  EXPECT_TRUE(workload.notes.empty());
  EXPECT_EQ(workload.source, path_);
}

TEST_F(PolluxFile, WorkIsAShareOfThePublishedTraining) {
  write("a,0,cifar10,1,128\n");
  EXPECT_DOUBLE_EQ(read().jobs[0].work_samples, 100.0 * 50000.0);
  EXPECT_DOUBLE_EQ(read(", work_fraction: 0.1").jobs[0].work_samples, 10.0 * 50000.0);
}

TEST_F(PolluxFile, TrainingsScaleWithTheRunTimes) {
  write("a,0,cifar10,1,128\n");
  EXPECT_DOUBLE_EQ(read(", scale_run_times: 0.5").jobs[0].work_samples, 50.0 * 50000.0);
  EXPECT_DOUBLE_EQ(read(", scale_run_times: 3, work_fraction: 0.1").jobs[0].work_samples,
                   30.0 * 50000.0);
}

TEST_F(PolluxFile, JobsOfRigidModelsAreMarked) {
  write("a,0,ncf,1,32768\nb,1,cifar10,2,256\n");
  const auto jobs = read(", rigid_models: [neumf]").jobs;
  EXPECT_TRUE(jobs[0].rigid);
  EXPECT_FALSE(jobs[1].rigid);
  EXPECT_FALSE(read().jobs[0].rigid);
}

TEST_F(PolluxFile, RefusesRigidModelsThatDoNotExist) {
  write("a,0,ncf,1,32768\n");
  EXPECT_THAT(error(", rigid_models: [neumv]"),
              AllOf(HasSubstr("rigid_models"), HasSubstr("did you mean \"neumf\"?")));
}

TEST_F(PolluxFile, CompressesArrivals) {
  write("a,100,cifar10,1,128\n");
  EXPECT_EQ(read(", compress_arrivals: 8").jobs[0].arrival,
            Instant{std::chrono::milliseconds(12500)});
}

TEST_F(PolluxFile, SortsByArrivalAndNumbersDensely) {
  write("late,9,ncf,1,256\nearly,3,ncf,1,256\n");
  const auto jobs = read().jobs;
  EXPECT_EQ(jobs[0].name, "early");
  EXPECT_EQ(jobs[0].id, JobId{0});
  EXPECT_EQ(jobs[1].id, JobId{1});
}

TEST_F(PolluxFile, TakesTheFirstJobsAndSaysSo) {
  write("a,0,ncf,1,256\nb,1,ncf,1,256\nc,2,ncf,1,256\n");
  const Workload workload = read(", first: 2");
  EXPECT_EQ(workload.jobs.size(), 2U);
  EXPECT_THAT(workload.notes, ElementsAre("first 2 of 3 jobs"));
}

TEST_F(PolluxFile, RefusesGangsLargerThanTheCluster) {
  write("a,0,ncf,1,256\nbig,1,cifar10,16,2048\n");
  EXPECT_EQ(error("", 8), path_ +
                              ":3:15: num_replicas: 16 GPUs, but the cluster has 8; enlarge the "
                              "cluster or set \"oversized: clamp\"");
}

TEST_F(PolluxFile, ClampsGangsOnRequestAndNotesIt) {
  write("big,1,cifar10,16,2048\n");
  const Workload workload = read(", oversized: clamp", 8);
  EXPECT_EQ(workload.jobs[0].gang, 8);
  EXPECT_EQ(workload.jobs[0].total_batch, 2048);
  EXPECT_THAT(workload.notes,
              ElementsAre("changed 1 of 1 rows: oversized: gang clamped to the cluster's 8 GPUs; a "
                          "recorded run time is lengthened to keep the GPU time (line 2)"));
}

TEST_F(PolluxFile, RefusesUnknownApplications) {
  write("a,0,cifar,1,128\n");
  EXPECT_EQ(error(), path_ +
                         ":2:5: application: unknown application \"cifar\"; did you mean "
                         "\"cifar10\"? allowed: bert, cifar10, deepspeech2, imagenet, ncf, yolov3");
}

TEST_F(PolluxFile, RefusesNegativeTimesAndEmptyGangs) {
  write("a,-1,ncf,1,256\n");
  EXPECT_THAT(error(), HasSubstr(":2:3: time: expected a number >= 0 and <= 1e+09, got \"-1\""));
  write("a,1,ncf,0,256\n");
  EXPECT_THAT(error(), HasSubstr(":2:9: num_replicas: expected an integer >= 1"));
}

TEST_F(PolluxFile, RefusesBatchesBelowOneSamplePerGpu) {
  write("a,1,cifar10,8,7\n");
  EXPECT_THAT(error(), HasSubstr(":2:15: batch_size: 7 gives 8 GPUs less than one sample each"));
}

TEST_F(PolluxFile, RefusesAFileWithoutJobs) {
  write("");
  EXPECT_EQ(error(), path_ + ":1:1: has no jobs");
}

TEST_F(PolluxFile, HashCoversContentAndParameters) {
  write("a,0,ncf,1,256\n");
  const std::string first = read().source_hash;
  EXPECT_EQ(read().source_hash, first);
  EXPECT_NE(read(", work_fraction: 0.5").source_hash, first);
  write("a,1,ncf,1,256\n");
  EXPECT_NE(read().source_hash, first);
}

TEST(PolluxWorkloads, OfThePublicArtifactAreReadWhole) {
  const auto folder = test::shared_folder();
  if (!std::filesystem::exists(folder / "data" / "pollux")) {
    GTEST_SKIP() << "skipped: no shared data";
  }
  setenv("MIMUS_SHARED", folder.c_str(), 1);
  const Workload workload = test::make_workload(
      "{source: pollux, path: \"${MIMUS_SHARED}/data/pollux/workloads/workload-1.csv\"}");
  ASSERT_EQ(workload.jobs.size(), 160U);
  EXPECT_EQ(workload.source, "${MIMUS_SHARED}/data/pollux/workloads/workload-1.csv");
  EXPECT_EQ(workload.jobs.front().name, "cifar10-0");
  EXPECT_LE(workload.jobs.back().arrival, Instant{std::chrono::hours(8)});
}

}  // namespace
}  // namespace mimus::workloads
