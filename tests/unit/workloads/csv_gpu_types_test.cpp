// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The GPU types that jobs may use in Mimus's own CSV format.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workloads/traces/native/native_csv_writer.hpp"
#include "workloads/traces/native/native_row.hpp"

namespace mimus::workloads {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Types = std::vector<std::string>;

TEST(CsvGpuTypes, ReadBackAsWritten) {
  for (const Types& types : {Types{"V100"}, Types{"V100", "P100", "T4"}}) {
    EXPECT_EQ(parse_gpu_types(gpu_types_text(types)), types);
  }
  EXPECT_EQ(gpu_types_text({"V100", "P100"}), "V100;P100");
  for (const char* wrong : {"", ";", "V100;", ";V100", "V100;;P100"}) {
    EXPECT_THAT(parse_gpu_types(wrong), IsEmpty()) << wrong;
  }
}

TEST(CsvGpuTypes, AreWrittenWhereAJobHasThem) {
  Workload workload;
  for (int id = 0; id < 2; ++id) {
    Job job;
    job.id = JobId{id};
    job.name = "job";
    job.run_time = std::chrono::seconds(5);
    workload.jobs.push_back(job);
  }
  std::ostringstream without;
  write_csv(workload, without);
  EXPECT_THAT(without.str(), Not(HasSubstr("gpu_types")));
  workload.jobs[1].gpu_types = {"V100", "T4"};
  std::ostringstream with;
  write_csv(workload, with);
  EXPECT_THAT(with.str(), HasSubstr("failures,gpu_types\n"));
  EXPECT_THAT(with.str(), HasSubstr(",unknown,,\n"));
  EXPECT_THAT(with.str(), HasSubstr(",unknown,,V100;T4\n"));
}

}  // namespace
}  // namespace mimus::workloads
