// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Alibaba PAI as published: tables of jobs, tasks and groups that are joined.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/trace_files.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;
using test::at_seconds;
using test::names_of;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PaiTablesFormat : public test::TraceFiles {
 protected:
  [[nodiscard]] Workload import(const std::string& options = "") const {
    return source("pai-tables", options, "")->make({test::catalogue(), 1, 64});
  }
};

TEST_F(PaiTablesFormat, JoinsJobsTasksAndGroups) {
  write_as("pai_job_table.csv",
           "ja,ia,ann,Terminated,1000.0,1700.0\n"
           "jb,ib,bob,Failed,1010.0,\n"
           "jc,ic,bob,Waiting,1020.0,\n"
           "jd,id,bob,Waiting,,\n");
  write_as("pai_task_table.csv",
           "ja,ps,1.0,Terminated,1060.0,1600.0,600.0,29.3,,MISC\n"
           "ja,worker,2.0,Terminated,1100.0,1650.0,600.0,29.3,100.0,V100\n"
           "jb,tensorflow,1.0,Failed,1015.0,1025.0,600.0,29.3,50.0,T4\n");
  write_as("pai_group_tag_table.csv", "ia,ann,V100M32,g1,nmt\n");
  const Workload workload = import();
  EXPECT_THAT(names_of(workload), ElementsAre("ja", "jb"));
  const Job& job = workload.jobs[0];
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.group, "g1");
  EXPECT_EQ(job.gang, 2);
  EXPECT_EQ(job.run_time, seconds(590));  // from 1060 to 1650
  EXPECT_DOUBLE_EQ(job.cores, 18.0);      // three instances of 600 %
  EXPECT_NEAR(job.host_memory.value, 3 * 29.3 * 1024.0 * 1024.0 * 1024.0, 1.0);
  EXPECT_EQ(job.recorded, RecordedOutcome::passed);
  EXPECT_DOUBLE_EQ(workload.jobs[1].gpu_share, 0.5);
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(10));
  EXPECT_THAT(workload.notes,
              ElementsAre("dropped 1 of 4 rows: never_started: no start was recorded (line 3)",
                          "dropped 1 of 4 rows: no_submission: no time of submission was recorded "
                          "(line 4)",
                          "arrivals shifted so that the first is 0: it was 1000 s"));
}

// What users ask for is in the table of tags. The type of a task is the one that it got.
TEST_F(PaiTablesFormat, JobsMayUseTheTypesThatUsersStated) {
  write_as("pai_job_table.csv",
           "ja,ia,ann,Terminated,1000.0,1700.0\n"
           "jb,ib,bob,Terminated,1010.0,1700.0\n"
           "jc,ic,bob,Terminated,1020.0,1700.0\n");
  write_as("pai_task_table.csv",
           "ja,w,1.0,Terminated,1060.0,1600.0,600.0,29.3,100.0,V100M32\n"
           "jb,w,1.0,Terminated,1060.0,1600.0,600.0,29.3,100.0,T4\n"
           "jc,w,1.0,Terminated,1060.0,1600.0,600.0,29.3,100.0,MISC\n");
  write_as("pai_group_tag_table.csv",
           "ia,ann,V100M32,g1,nmt\n"
           "ib,bob,,g2,\n"
           "ic,bob,MISC,g3,\n");
  const auto types = [&](const std::string& options) {
    std::vector<std::vector<std::string>> of_jobs;
    for (const Job& job : import(options).jobs) of_jobs.push_back(job.gpu_types);
    return of_jobs;
  };
  EXPECT_THAT(types(""), ElementsAre(ElementsAre("V100M32"), IsEmpty(), ElementsAre("MISC")));
  EXPECT_THAT(types(", gpu_types: v100"),
              ElementsAre(ElementsAre("V100M32"), IsEmpty(), IsEmpty()));
  EXPECT_THAT(types(", gpu_types: any"), Each(IsEmpty()));
}

TEST_F(PaiTablesFormat, DoesWithoutGroupsButNotWithoutTasks) {
  write_as("pai_job_table.csv", "ja,ia,ann,Terminated,1000.0,1700.0\n");
  EXPECT_THAT(test::message_of([&] { (void)import(); }),
              HasSubstr("pai_task_table.csv\" does not exist"));
  write_as("pai_task_table.csv", "ja,w,1.0,Terminated,1060.0,1600.0,600.0,29.3,100.0,T4\n");
  EXPECT_EQ(import().jobs.at(0).group, "");
}

TEST_F(PaiTablesFormat, NamesTheTableThatIsWrong) {
  write_as("pai_job_table.csv", "ja,ia,ann,Terminated,1000.0,1700.0\n");
  write_as("pai_task_table.csv", "ja,w,100.0,Terminated,1060.0,1600.0,600.0,29.3,100.0,T4\n");
  EXPECT_THAT(test::message_of([&] { (void)import(); }),
              HasSubstr("pai_job_table.csv:1:1: plan_gpu: 100 GPUs, but the cluster has 64"));
  write_as("pai_task_table.csv", "ja,w,one,Terminated,1060.0,1600.0,600.0,29.3,100.0,T4\n");
  EXPECT_THAT(test::message_of([&] { (void)import(); }),
              HasSubstr("pai_task_table.csv:1:6: inst_num: expected a number"));
}

TEST_F(PaiTablesFormat, AnUnfinishedTaskLeavesTheEndToTheJob) {
  write_as("pai_job_table.csv", "ja,ia,ann,Terminated,1000.0,1700.0\njb,ib,ann,Running,1000.0,\n");
  write_as("pai_task_table.csv",
           "ja,w,1.0,Terminated,1060.0,1600.0,600.0,29.3,100.0,T4\n"
           "ja,ps,1.0,Running,1050.0,,600.0,29.3,,T4\n"
           "jb,w,1.0,Running,1060.0,,600.0,29.3,100.0,T4\n");
  const Workload workload = import();
  ASSERT_THAT(names_of(workload), ElementsAre("ja"));
  EXPECT_EQ(workload.jobs[0].run_time, seconds(650));
  EXPECT_EQ(import(", missing_end: until_last").jobs.at(1).run_time, seconds(640));
}

}  // namespace
}  // namespace mimus::workloads
