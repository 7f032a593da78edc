// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Cores and memory of nodes that jobs ask for, and jobs that ask for no GPU.
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

TEST(HostNeeds, AreReadFromAListOfJobs) {
  const Workload workload = test::make_workload(
      "{source: jobs, jobs: [{run_time: 5 s, cores: 2.5, host_memory: 3 GiB},"
      " {run_time: 5 s, gang: 0, cores: 1, arrival: 1 s}]}");
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(workload.jobs[0].cores, 2.5);
  EXPECT_DOUBLE_EQ(workload.jobs[0].host_memory.value, 3.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(workload.jobs[1].gang, 0);
  EXPECT_EQ(workload.jobs[1].total_batch, 1);
}

TEST(HostNeeds, AJobWithoutGpusTrainsNoModel) {
  EXPECT_THAT(
      test::message_of([] {
        (void)test::make_workload("{source: jobs, jobs: [{model: gpt, samples: 9, gang: 0}]}");
      }),
      HasSubstr("workload.jobs[0].gang: a job without GPUs cannot train a model"));
}

class NativeHostNeeds : public test::TraceFiles {};

TEST_F(NativeHostNeeds, AreWrittenWhereAJobHasThemAndReadAgain) {
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
  EXPECT_THAT(without.str(), Not(HasSubstr("cores")));
  workload.jobs[1].cores = 0.125;
  workload.jobs[1].host_memory = Bytes{1024.0 * 1024 * 1024};
  workload.jobs[1].host_share = 0.75;
  workload.jobs[2].gang = 0;
  workload.jobs[2].cores = 11.9;
  std::ostringstream with;
  write_csv(workload, with);
  EXPECT_THAT(with.str(), HasSubstr("failures,cores,host_memory,host_share\n"));
  write(with.str());
  const Workload again = read("csv");
  ASSERT_EQ(again.jobs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.jobs[i].cores, workload.jobs[i].cores);
    EXPECT_EQ(again.jobs[i].host_memory, workload.jobs[i].host_memory);
    EXPECT_EQ(again.jobs[i].host_share, workload.jobs[i].host_share);
    EXPECT_EQ(again.jobs[i].gang, workload.jobs[i].gang);
  }
}

}  // namespace
}  // namespace mimus::workloads
