// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Foreign tables with `source: csv`: their columns, dates, zeros, fractions and malformed rows.
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

constexpr const char* kColumns =
    ", columns: {name: id, arrival: submit_time, gang: gpus, run_time: duration}";
constexpr const char* kTimes =
    ", columns: {name: id, arrival: submit, gang: gpus, start: began, end: ended}";

class ForeignCsv : public test::TraceFiles {};

TEST_F(ForeignCsv, ColumnsAreThoseThatTheCampaignNames) {
  write("id,gpus,submit_time,duration,user\na,4,10,60,ann\n");

  const Job job = read("csv", kColumns).jobs.at(0);

  EXPECT_EQ(job.name, "a");
  EXPECT_EQ(job.gang, 4);
  EXPECT_EQ(job.arrival, at_seconds(10));
  EXPECT_EQ(job.run_time, seconds(60));
  EXPECT_EQ(job.user, "ann");  // a column that is not named keeps its own name
}

TEST_F(ForeignCsv, ColumnsThatAreNotThereAreRefused) {
  write("id,gpus,submit_time\na,4,10\n");

  EXPECT_EQ(error("csv", kColumns),
            ":1:1: missing column \"duration\"; the header has id, gpus, submit_time");
  EXPECT_THAT(error("csv", ", columns: {arival: submit_time}"),
              HasSubstr("workload.columns: unknown key \"arival\"; did you mean \"arrival\"?"));
  EXPECT_THAT(error("csv", ", columns: {end: ended}"),
              HasSubstr("workload.columns.end: needs \"start\" as well"));
}

TEST_F(ForeignCsv, CellsWithOtherColumnsAreParsedApart) {
  write("arrival,gang,run_time,other\n0,1,60,90\n");

  EXPECT_EQ(read("csv").jobs.at(0).run_time, seconds(60));
  EXPECT_EQ(read("csv", ", columns: {run_time: other}").jobs.at(0).run_time, seconds(90));
}

// 08:00:30 in Shanghai is 00:00:30 UTC: half a minute after the first.
TEST_F(ForeignCsv, DatesAreTakenToUtcAndTheFirstJobArrivesAtZero) {
  write(
      "id,gpus,submit_time,duration\n"
      "a,1,2023-03-01 00:00:00Z,60\n"
      "b,1,2023-03-01T08:00:30+08:00,60\n"
      "c,1,2023-02-28 16:01:00.5 -0800,60\n"
      "d,1,2023-03-01 00:02:00 UTC,60\n");

  const Workload workload = read("csv", kColumns);

  ASSERT_EQ(workload.jobs.size(), 4U);
  EXPECT_EQ(workload.jobs[0].arrival, at_seconds(0));
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(30));
  EXPECT_EQ(workload.jobs[2].arrival, at_seconds(60.5));
  EXPECT_EQ(workload.jobs[3].arrival, at_seconds(120));
  EXPECT_EQ(names_of(read("csv", std::string(kColumns) + ", stream: true")), names_of(workload));
  EXPECT_EQ(read("csv", std::string(kColumns) + ", stream: true").jobs[1].arrival, at_seconds(30));
  EXPECT_EQ(read("csv", std::string(kColumns) + ", keep_origin: true").jobs[0].arrival,
            at_seconds(1677628800));
}

// New York's clocks were set back from 02:00 to 01:00, so 00:30 to 03:00 took 3.5 h. A stated
// offset takes precedence.
TEST_F(ForeignCsv, DatesWithoutAnOffsetAreInTheTimeZoneThatIsNamed) {
  write(
      "id,gpus,submit,began,ended\n"
      "a,1,2018-11-04 00:30:00,2018-11-04 00:30:00,2018-11-04 03:00:00\n"
      "b,1,2018-11-04 01:30:00,2018-11-04 02:00:00,2018-11-04 02:10:00\n"
      "c,1,2018-11-04 06:00:00Z,2018-11-04 06:00:00Z,2018-11-04 02:10:00\n");
  const std::string zone = std::string(kTimes) + ", time_zone: America/New_York";

  const Workload workload = read("csv", zone);

  ASSERT_EQ(workload.jobs.size(), 3U);
  EXPECT_EQ(workload.jobs[0].run_time, seconds(3 * 3600 + 1800));
  EXPECT_EQ(workload.jobs[1].arrival, at_seconds(3600));
  EXPECT_EQ(workload.jobs[1].run_time, seconds(600));
  EXPECT_EQ(workload.jobs[2].arrival, at_seconds(5400));  // 01:00 as winter begins
  EXPECT_EQ(workload.jobs[2].run_time, seconds(4200));
  EXPECT_EQ(read("csv", kTimes).jobs[0].run_time, seconds(2 * 3600 + 1800));
  EXPECT_EQ(read("csv", zone + ", stream: true").jobs[0].run_time, seconds(3 * 3600 + 1800));
  EXPECT_EQ(read("csv", zone + ", keep_origin: true").jobs[0].arrival, at_seconds(1541305800));
}

TEST_F(ForeignCsv, TimesThatClocksNeverShowedAreBadRows) {
  write(
      "id,gpus,submit_time,duration\n"
      "a,1,2018-03-11 01:59:59,60\n"
      "b,1,2018-03-11 02:30:00,60\n"
      "c,1,2018-03-11 03:00:00,60\n");
  const std::string zone = std::string(kColumns) + ", time_zone: America/New_York";

  EXPECT_THAT(error("csv", zone),
              HasSubstr(":3:5: submit_time: clocks in America/New_York never showed "
                        "\"2018-03-11 02:30:00\""));
  const Workload rest = read("csv", zone + ", on_bad_row: skip");
  ASSERT_EQ(rest.jobs.size(), 2U);
  EXPECT_EQ(rest.jobs[1].arrival, at_seconds(1));
}

TEST_F(ForeignCsv, UnknownTimeZonesAreRefused) {
  write("arrival,gang,run_time\n0,1,60\n");

  EXPECT_THAT(error("csv", ", time_zone: Asia/Shangai"),
              HasSubstr("workload.time_zone: unknown time zone \"Asia/Shangai\"; did you mean "
                        "\"Asia/Shanghai\"?"));
}

TEST_F(ForeignCsv, WhatIsNeitherDateNorSecondsIsRefused) {
  write("id,gpus,submit_time,duration\na,1,2023-03-01,60\n");

  EXPECT_THAT(
      error("csv", kColumns),
      HasSubstr(":2:5: submit_time: expected seconds, or a date as \"YYYY-mm-dd HH:MM:SS\""));
}

TEST_F(ForeignCsv, DatesAndSecondsDoNotMix) {
  write("id,gpus,submit_time,duration\na,1,2023-03-01 00:00:00,60\nb,1,30,60\n");

  EXPECT_EQ(error("csv", kColumns),
            ":3:5: submit_time: \"30\" is no date, where the rows above have dates");
}

TEST_F(ForeignCsv, StartsAndEndsGiveRunTimes) {
  write(
      "id,gpus,submit,began,ended\n"
      "a,1,2023-03-01 00:00:00,2023-03-01 00:00:10,2023-03-01 00:01:10\n"
      "never,1,2023-03-01 00:00:05,,\n"
      "runs,1,2023-03-01 00:00:06,2023-03-01 00:00:10,None\n"
      "back,1,2023-03-01 00:00:07,2023-03-01 00:00:10,2023-03-01 00:00:09\n");

  const Workload workload = read("csv", kTimes);

  ASSERT_EQ(names_of(workload), std::vector<std::string>{"a"});
  EXPECT_EQ(workload.jobs[0].run_time, seconds(60));
  EXPECT_THAT(
      workload.notes,
      ElementsAre("dropped 1 of 4 rows: never_started: no start was recorded (line 3)",
                  "dropped 1 of 4 rows: missing_end: no end was recorded (line 4)",
                  "dropped 1 of 4 rows: negative_run_time: the end lies before the start (line 5)",
                  "arrivals shifted so that the first is 0: it was 1677628800 s"));
  const auto ended = read("csv", std::string(kTimes) + ", missing_end: until_last");
  EXPECT_EQ(ended.jobs.at(1).run_time, seconds(60));
}

TEST_F(ForeignCsv, ZerosFollowTheStatedRules) {
  write("arrival,gang,run_time,name\n0,1,0,instant\n1,0,60,bare\n2,1,60,whole\n");

  const Workload dropped = read("csv");
  EXPECT_EQ(names_of(dropped), std::vector<std::string>{"whole"});
  EXPECT_THAT(dropped.notes,
              ElementsAre("dropped 1 of 3 rows: zero_run_time: the run time is zero (line 2)",
                          "dropped 1 of 3 rows: zero_gpus: no GPU was asked for (line 3)"));

  const Workload kept = read("csv", ", zero_run_time: one_second, zero_gpus: one");
  EXPECT_EQ(kept.jobs.at(0).run_time, seconds(1));
  EXPECT_EQ(kept.jobs.at(1).gang, 1);
}

// Half a GPU is a share of one. Two and a half are three, or are refused.
TEST_F(ForeignCsv, FractionsFollowTheStatedRules) {
  write("arrival,gang,run_time,batch\n0,0.5,60,\n1,2.5,60,3\n");

  const Workload packed = read("csv");
  EXPECT_EQ(packed.jobs.at(0).gang, 1);
  EXPECT_DOUBLE_EQ(packed.jobs.at(0).gpu_share, 0.5);
  EXPECT_EQ(packed.jobs.at(1).gang, 3);
  EXPECT_DOUBLE_EQ(packed.jobs.at(1).gpu_share, 1.0);
  EXPECT_EQ(read("csv", ", fractional_gangs: drop").jobs.size(), 1U);

  write("arrival,gang,run_time,gpu_share\n0,0.5,60,0.5\n");
  EXPECT_EQ(error("csv"),
            ":2:10: gpu_share: a gang of 0.5 cannot have parts of GPUs; only a gang of 1 can");
}

TEST_F(ForeignCsv, BadRowsStopOrAreLeftOutWithACount) {
  write("arrival,gang,run_time,name\n0,1,60,a\n1,one,60,b\n2,1\n3,1,60,d\n4,1,-5,e\n");

  EXPECT_THAT(error("csv"), HasSubstr(":3:3: gang: expected a number"));

  const Workload workload = read("csv", ", on_bad_row: skip");
  EXPECT_EQ(names_of(workload), (std::vector<std::string>{"a", "d"}));
  ASSERT_EQ(workload.notes.size(), 1U);
  EXPECT_THAT(workload.notes[0],
              testing::StartsWith("dropped 3 of 5 rows: on_bad_row: cannot be read; the first: " +
                                  path() + ":3:3: gang: expected a number"));
  EXPECT_THAT(workload.notes[0], testing::EndsWith("(lines 3-4, 6)"));
  // The cache of another cell must not be used for the same file.
  EXPECT_THAT(error("csv"), HasSubstr(":3:3: gang: expected a number"));
}

TEST_F(ForeignCsv, OtherFormatsSkipBadRowsToo) {
  write("job_id,submit,duration,num_gpus,vc\na,100,10,1,red\nb,110,soon,2,blue\n");

  EXPECT_EQ(names_of(read("philly", ", on_bad_row: skip")), std::vector<std::string>{"a"});
  // A check still lists it.
  EXPECT_EQ(collect("philly", ", on_bad_row: skip").report.malformed_count(), 1);
}

TEST_F(ForeignCsv, AStreamRefusesWhatIsKnownAtTheEndOnly) {
  write("arrival,gang,run_time\n0,1,60\n");

  EXPECT_THAT(error("csv", ", stream: true, on_bad_row: skip"),
              HasSubstr("workload.on_bad_row: skip needs the whole file; leave out \"stream: "
                        "true\""));
}

}  // namespace
}  // namespace mimus::workloads
