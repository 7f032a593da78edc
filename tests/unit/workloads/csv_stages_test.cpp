// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The stages of jobs in Mimus's own CSV format.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workloads/traces/native/native_csv_writer.hpp"
#include "workloads/traces/native/native_row.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

TEST(Stages, ReadBackAsWritten) {
  const StageTimes stages{.input = std::chrono::nanoseconds(1),
                          .compute = std::chrono::milliseconds(160),
                          .network = seconds(2),
                          .iteration = seconds(3)};
  EXPECT_EQ(stages_text(stages), "0.000000001:0.16:2:3");
  EXPECT_EQ(parse_stages(stages_text(stages)), stages);
  for (const char* wrong :
       {"", "1:2:3", "1:2:3:4:5", "1:2:x:4", "1:2:-3:4", "1:2:3:0", "1:2:3:1e9"}) {
    EXPECT_EQ(parse_stages(wrong), std::nullopt) << wrong;
  }
}

TEST(NativeCsvWriter, WritesStagesWhereAJobHasThem) {
  Workload workload;
  for (int id = 0; id < 2; ++id) {
    Job job;
    job.id = JobId{id};
    job.name = "job";
    job.run_time = seconds(5);
    workload.jobs.push_back(job);
  }
  std::ostringstream without;
  write_csv(workload, without);
  EXPECT_THAT(without.str(), Not(HasSubstr("stages")));
  workload.jobs[1].stages = {.compute = seconds(1), .iteration = seconds(1)};
  std::ostringstream with;
  write_csv(workload, with);
  EXPECT_THAT(with.str(), HasSubstr("failures,stages\n"));
  EXPECT_THAT(with.str(), HasSubstr(",unknown,,\n"));
  EXPECT_THAT(with.str(), HasSubstr(",unknown,,0:1:0:1\n"));
}

}  // namespace
}  // namespace mimus::workloads
