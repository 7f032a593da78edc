// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/trace_files.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;
using test::at_seconds;
using test::names_of;
using testing::ElementsAre;
using testing::HasSubstr;

class Swf : public test::TraceFiles {};

//                      job submit wait run held cpu mem asked time mem status user group exe queue
constexpr const char* kJob = " 1   100   7  60   8  -1 -1   16  300 -1  1  3  4  5  2 -1 -1 -1\n";

TEST_F(Swf, ReadsEveryFieldThatItUses) {
  write(std::string("; Version: 2.2\n;   Queue: 2 night\n\n") + kJob);

  const Workload workload = read("swf", ", estimate: requested_time");

  ASSERT_EQ(workload.jobs.size(), 1U);
  const Job& job = workload.jobs[0];
  EXPECT_EQ(job.name, "1");
  EXPECT_EQ(job.gang, 8);
  EXPECT_EQ(job.run_time, seconds(60));
  EXPECT_EQ(job.user_estimate, seconds(300));
  EXPECT_EQ(job.user, "3");
  EXPECT_EQ(job.group, "4");
  EXPECT_EQ(job.virtual_cluster, "2");
  EXPECT_EQ(job.recorded, RecordedOutcome::passed);
}

TEST_F(Swf, TakesRequestedProcessorsWhereNoneAreHeldAndRoundsGpusUp) {
  write(
      "1 0 0 60 -1 -1 -1 9 -1 -1 0 -1 -1 -1 -1 -1 -1 -1\n"
      "2 9\t0 60 4 -1 -1 9 -1 -1 5 -1 -1 -1 -1 -1 -1 -1  \n");

  const Workload workload = read("swf", ", processors_per_gpu: 4");

  EXPECT_EQ(workload.jobs.at(0).gang, 3);
  EXPECT_EQ(workload.jobs[0].recorded, RecordedOutcome::failed);
  EXPECT_EQ(workload.jobs[0].user_estimate, Duration{});
  EXPECT_EQ(workload.jobs.at(1).gang, 1);
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(9));
  EXPECT_EQ(workload.jobs[1].recorded, RecordedOutcome::killed);
}

TEST_F(Swf, DropsPartsAndWhatNeverRan) {
  write(
      "1 0 0 60 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      "1 0 0 20 1 -1 -1 1 -1 -1 2 -1 -1 -1 -1 -1 -1 -1\n"
      "1 0 20 40 1 -1 -1 1 -1 -1 3 -1 -1 -1 -1 -1 -1 -1\n"
      "2 5 -1 -1 -1 -1 -1 1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n"
      "3 6 -1 30 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n");

  EXPECT_THAT(names_of(read("swf")), ElementsAre("1", "3"));
}

TEST_F(Swf, SaysWhereAFieldIsWrong) {
  write("; a comment\n  1 0 0 60 many -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n");
  EXPECT_THAT(error("swf"), HasSubstr(":2:10: processors"));
  write("1 0 0 60 1 -1 -1 1 -1 -1 7 -1 -1 -1 -1 -1 -1 -1\n");
  EXPECT_THAT(error("swf"), HasSubstr("status"));
  write("1 0 0 60\n");
  EXPECT_THAT(error("swf"), HasSubstr("the line has 4 fields where the format has 18"));
}

}  // namespace
}  // namespace mimus::workloads
