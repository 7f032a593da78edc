// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The stated rule for every oddity, in the formats that can have it; and malformed rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/trace_files.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;
using test::at_seconds;
using test::names_of;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class Oddities : public test::TraceFiles {
 protected:
  /// Pods: name, GPUs, thousandths of each, created, deleted, scheduled.
  void pods(const std::vector<std::string>& rows) const {
    std::string text =
        "name,num_gpu,gpu_milli,pod_phase,creation_time,deletion_time,scheduled_time\n";
    for (const std::string& row : rows) {
      auto fields = row;
      fields.insert(fields.find(',', fields.find(',', fields.find(',') + 1) + 1), ",Running");
      text += fields + "\n";
    }
    write(text);
  }
};

TEST_F(Oddities, NeverStartedJobsAreDroppedOrCountedFromTheSubmission) {
  pods({"a,1,1000,0,50,10", "b,1,1000,5,50,"});
  const Workload dropped = read("openb");
  EXPECT_THAT(names_of(dropped), ElementsAre("a"));
  EXPECT_THAT(dropped.notes,
              ElementsAre("dropped 1 of 2 rows: never_started: no start was recorded (line 3)"));
  const Workload counted = read("openb", ", never_started: from_submit");
  EXPECT_EQ(counted.jobs.at(1).run_time, seconds(45));
}

TEST_F(Oddities, JobsWithoutGpusAreDroppedOrGivenOne) {
  pods({"a,0,0,0,50,10"});
  EXPECT_THAT(read("openb").jobs, IsEmpty());
  const Workload given = read("openb", ", zero_gpus: one");
  EXPECT_EQ(given.jobs.at(0).gang, 1);
  EXPECT_DOUBLE_EQ(given.jobs[0].gpu_share, 1.0);
  EXPECT_THAT(given.notes, ElementsAre("changed 1 of 1 rows: zero_gpus: no GPU was asked for; "
                                       "given one (line 2)"));
}

TEST_F(Oddities, JobsWithoutAnEndAreDroppedOrRunUntilTheLastTimeInTheTrace) {
  pods({"a,1,1000,0,,10", "b,1,1000,20,90,30"});
  EXPECT_THAT(names_of(read("openb")), ElementsAre("b"));
  const Workload ended = read("openb", ", missing_end: until_last");
  EXPECT_THAT(names_of(ended), ElementsAre("a", "b"));
  EXPECT_EQ(ended.jobs[0].run_time, seconds(80));
  EXPECT_THAT(ended.notes,
              ElementsAre("changed 1 of 2 rows: missing_end: no end was recorded; taken to end at "
                          "the last time in the trace (line 2)"));
}

TEST_F(Oddities, JobsWithNeitherStartNorEndCanRunFromTheSubmissionUntilTheLastTime) {
  pods({"a,1,1000,20,,", "b,1,1000,20,90,30"});
  const Workload workload = read("openb", ", never_started: from_submit, missing_end: until_last");
  EXPECT_THAT(names_of(workload), ElementsAre("a", "b"));
  EXPECT_EQ(workload.jobs[0].run_time, seconds(70));
  EXPECT_THAT(names_of(read("openb", ", never_started: from_submit")), ElementsAre("b"));
}

TEST_F(Oddities, NegativeRunTimesAreDropped) {
  pods({"a,1,1000,0,9,10", "b,1,1000,0,20,10"});
  const Workload workload = read("openb");
  EXPECT_THAT(names_of(workload), ElementsAre("b"));
  EXPECT_THAT(workload.notes, ElementsAre("dropped 1 of 2 rows: negative_run_time: the end lies "
                                          "before the start (line 2)"));
}

TEST_F(Oddities, ZeroRunTimesAreDroppedOrTakenAsASecond) {
  pods({"a,1,1000,0,10,10"});
  EXPECT_THAT(read("openb").jobs, IsEmpty());
  EXPECT_EQ(read("openb", ", zero_run_time: one_second").jobs.at(0).run_time, seconds(1));
}

TEST_F(Oddities, NegativeWaitsAreKeptOrMovedOrDropped) {
  pods({"a,1,1000,0,5,1", "b,1,1000,10,50,8"});
  const Workload kept = read("openb");
  EXPECT_EQ(kept.jobs.at(1).arrival, at_seconds(10));
  EXPECT_EQ(kept.jobs[1].run_time, seconds(42));
  EXPECT_THAT(kept.notes, ElementsAre("kept 1 of 2 rows: negative_wait: the start lies before the "
                                      "submission; both kept, arrival is the submission (line 3)"));
  EXPECT_EQ(read("openb", ", negative_wait: at_start").jobs.at(1).arrival, at_seconds(8));
  EXPECT_THAT(names_of(read("openb", ", negative_wait: drop")), ElementsAre("a"));
}

TEST_F(Oddities, APartOfOneGpuIsAShare) {
  pods({"a,1,460,0,50,10"});
  const Workload workload = read("openb");
  EXPECT_EQ(workload.jobs.at(0).gang, 1);
  EXPECT_DOUBLE_EQ(workload.jobs[0].gpu_share, 0.46);
  EXPECT_THAT(workload.notes, IsEmpty());
}

TEST_F(Oddities, PartsOfSeveralGpusAreAddedUpOrGivenWholeOnes) {
  pods({"a,5,500,0,50,10"});  // 2.5 GPUs
  const Workload packed = read("openb");
  EXPECT_EQ(packed.jobs.at(0).gang, 3);
  EXPECT_DOUBLE_EQ(packed.jobs[0].gpu_share, 1.0);
  EXPECT_THAT(packed.notes, ElementsAre("changed 1 of 1 rows: fractional_gangs: parts of GPUs in a "
                                        "gang; given the sum, rounded up to whole GPUs (line 2)"));
  EXPECT_EQ(read("openb", ", fractional_gangs: own_gpus").jobs.at(0).gang, 5);
  EXPECT_THAT(read("openb", ", fractional_gangs: drop").jobs, IsEmpty());
}

TEST_F(Oddities, TenTenthsOfAGpuAreOne) {
  pods({"a,10,100,0,50,10"});
  EXPECT_EQ(read("openb").jobs.at(0).gang, 1);
}

TEST_F(Oddities, DuplicateIdsAreKeptOrDropped) {
  pods({"a,1,1000,0,50,10", "b,1,1000,0,50,10", "a,1,1000,0,70,10"});
  const Workload kept = read("openb");
  EXPECT_EQ(kept.jobs.size(), 3U);
  EXPECT_THAT(kept.notes, ElementsAre("kept 1 of 3 rows: duplicate_ids: an earlier job has the "
                                      "same id; kept as a separate job (line 4)"));
  const Workload dropped = read("openb", ", duplicate_ids: drop");
  EXPECT_THAT(names_of(dropped), ElementsAre("a", "b"));
  EXPECT_EQ(dropped.jobs[0].run_time, seconds(40));
}

TEST_F(Oddities, UnsortedRowsAreSortedAndTiesKeepTheOrderOfTheFile) {
  pods({"late,1,1000,9,50,10", "x,1,1000,3,50,10", "y,1,1000,3,50,10", "z,1,1000,4,50,10"});
  const Workload workload = read("openb");
  EXPECT_THAT(names_of(workload), ElementsAre("x", "y", "z", "late"));
  EXPECT_EQ(workload.jobs[3].id, JobId{3});
  EXPECT_THAT(workload.notes, Contains("changed 1 of 4 rows: unsorted: submitted before the row "
                                       "above; put in order of submission (line 3)"));
}

TEST_F(Oddities, JobsEndedLaterKeepTheirPlaceAmongTies) {
  pods({"a,1,1000,0,,10", "b,1,1000,0,50,10"});
  EXPECT_THAT(names_of(read("openb", ", missing_end: until_last")), ElementsAre("a", "b"));
}

TEST_F(Oddities, TheReportCountsWhatTheNotesSay) {
  pods({"a,0,0,0,50,10", "b,1,1000,0,50,", "c,1,1000,1,50,10", "d,0,0,2,50,10"});
  const auto result =
      import_trace(*source("openb"), {test::catalogue(), 1, 64}, Strictness::stop_at_first);
  EXPECT_EQ(result.report.rows_read(), 4);
  EXPECT_EQ(result.report.jobs_kept(), 1);
  ASSERT_EQ(result.report.entries().size(), 2U);
  EXPECT_EQ(result.report.entries()[0].reason, "zero_gpus");
  EXPECT_EQ(result.report.entries()[0].rows.count(), 2);
  EXPECT_EQ(result.report.entries()[0].effect, Effect::dropped);
  EXPECT_EQ(result.workload.notes, result.report.notes());
}

class MalformedRows : public test::TraceFiles {};

TEST_F(MalformedRows, StopARunAtTheFirst) {
  write("job_id,submit,duration,num_gpus,vc\na,0,10,1,x\nb,1,soon,1,x\nc,1,2,-1,x\n");
  EXPECT_EQ(error("philly"),
            ":3:5: duration: expected a number >= -4.2e+09 and <= 4.2e+09, got \"soon\"");
}

TEST_F(MalformedRows, AreAllCollectedForACheck) {
  write(
      "job_id,submit,duration,num_gpus,vc\na,0,10,1,x\nb,1,soon,1,x\nc,1\n\nd,1,2,-1,x\n"
      "e,1,2,9,x\n");
  const ImportResult result = collect("philly", "", 8);
  EXPECT_THAT(names_of(result.workload), ElementsAre("a"));
  EXPECT_EQ(result.report.rows_read(), 6);
  EXPECT_EQ(result.report.jobs_kept(), 1);
  std::vector<std::string> messages;
  for (const ConfigError& e : result.report.malformed_rows()) {
    messages.push_back(std::string(e.what()).substr(path().size()));
  }
  EXPECT_THAT(messages,
              ElementsAre(":3:5: duration: expected a number >= -4.2e+09 and <= 4.2e+09, got "
                          "\"soon\"",
                          ":4:1: the line has 2 fields where the header has 5",
                          ":5:1: empty line; delete it",
                          ":6:7: num_gpus: expected an integer >= 0 and <= 1000000, got \"-1\"",
                          ":7:7: num_gpus: 9 GPUs, but the cluster has 8; enlarge the cluster or "
                          "set \"oversized: clamp\""));
}

// The row is well-formed. It is found later that its instances request ten million GPUs.
TEST_F(MalformedRows, CountOnceWhereTheyAreFound) {
  write(
      "job_id,num_inst,submit_time,num_cpu,num_gpu,gpu_type,duration,user\n"
      "1,1000,0,1,10000,x,5,u\n2,1,0,1,1,x,5,u\n");
  const ImportResult result = collect("pai");
  EXPECT_EQ(result.report.rows_read(), 2);
  EXPECT_EQ(result.report.malformed_count(), 1);
  EXPECT_EQ(result.report.jobs_kept(), 1);
}

TEST_F(MalformedRows, DoNotHideThatAFileIsNoTableAtAll) {
  write("name,time\n");
  EXPECT_THAT(test::message_of([&] { (void)collect("philly"); }),
              testing::HasSubstr("missing column \"job_id\""));
}

TEST_F(MalformedRows, OfSourcesThatAreNoTraceAreThrown) {
  const auto list = make_workload_source(
      parse_yaml("{source: jobs, jobs: [{run_time: 1 s}]}", "w.yaml"), "workload");
  const auto result = import_trace(*list, {test::catalogue(), 1, 8}, Strictness::collect);
  EXPECT_EQ(result.report.rows_read(), 1);
  EXPECT_EQ(result.report.jobs_kept(), 1);
}

}  // namespace
}  // namespace mimus::workloads
