// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Philly's job log, a JSON list of jobs with attempts.
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

class PhillyJson : public test::TraceFiles {
 protected:
  static std::string job(const std::string& id, const std::string& submitted,
                         const std::string& attempts, const std::string& status = "Pass") {
    return R"({"status": ")" + status + R"(", "vc": "v", "jobid": ")" + id + R"(", "attempts": [)" +
           attempts + R"(], "submitted_time": ")" + submitted + R"(", "user": "u"})";
  }
  static std::string attempt(const std::string& start, const std::string& end, int gpus = 1) {
    std::string list;
    for (int i = 0; i < gpus; ++i) list += (i > 0 ? ", \"gpu" : "\"gpu") + std::to_string(i) + "\"";
    return R"({"start_time": )" + start + R"(, "end_time": )" + end +
           R"(, "detail": [{"ip": "m0", "gpus": [)" + list + "]}]}";
  }
  static std::string quoted(const std::string& time) { return "\"2017-10-09 " + time + "\""; }
};

TEST_F(PhillyJson, ReadsAJob) {
  write("[" +
        job("application_1", "2017-10-09 00:00:00",
            attempt(quoted("00:01:00"), quoted("00:03:00"), 2), "Killed") +
        "]");
  const Job job = read("philly-json").jobs.at(0);
  EXPECT_EQ(job.name, "application_1");
  EXPECT_EQ(job.virtual_cluster, "v");
  EXPECT_EQ(job.user, "u");
  EXPECT_EQ(job.gang, 2);
  EXPECT_EQ(job.run_time, seconds(120));
  EXPECT_EQ(job.recorded, RecordedOutcome::killed);
  EXPECT_EQ(job.arrival, at_seconds(0));
}

TEST_F(PhillyJson, SpansAllAttemptsAndTakesTheGpusOfTheFirst) {
  write("[" +
        job("a", "2017-10-09 00:00:00",
            attempt(quoted("00:01:00"), quoted("00:03:00"), 2) + "," +
                attempt(quoted("00:10:00"), quoted("00:12:00"), 4)) +
        "]");
  const Job job = read("philly-json").jobs.at(0);
  EXPECT_EQ(job.gang, 2);
  EXPECT_EQ(job.run_time, seconds(11 * 60));
}

TEST_F(PhillyJson, KnowsJobsThatNeverStartedOrNeverEnded) {
  write("[" + job("never", "2017-10-09 00:00:00", "") + "," +
        job("null", "2017-10-09 00:00:00", attempt("null", "null")) + "," +
        job("open", "2017-10-09 00:00:00", attempt(quoted("00:01:00"), "\"None\"")) + "," +
        job("fine", "2017-10-09 00:00:00", attempt(quoted("00:01:00"), quoted("00:05:00"))) + "]");
  const Workload workload = read("philly-json");
  EXPECT_THAT(names_of(workload), ElementsAre("fine"));
  EXPECT_THAT(workload.notes,
              ElementsAre("dropped 2 of 4 rows: never_started: no start was recorded (entries 1-2)",
                          "dropped 1 of 4 rows: missing_end: no end was recorded (entry 3)",
                          "arrivals shifted so that the first is 0: it was 1507507200 s"));
  EXPECT_EQ(read("philly-json", ", missing_end: until_last").jobs.at(0).run_time, seconds(240));
}

TEST_F(PhillyJson, IgnoresWhatItDoesNotKnow) {
  write(R"([{"status": "Pass", "more": {"vc": [1, {"jobid": 3}]}, "jobid": "a", "attempts": [)" +
        attempt(quoted("00:01:00"), quoted("00:03:00")) +
        R"(], "submitted_time": "2017-10-09 00:00:00", "score": 3.5, "user": null, "vc": null}])");
  const Workload workload = read("philly-json");
  EXPECT_THAT(names_of(workload), ElementsAre("a"));
  EXPECT_EQ(workload.jobs[0].user, "user");
  EXPECT_EQ(workload.jobs[0].virtual_cluster, "default");
}

TEST_F(PhillyJson, SaysWhereAJobIsWrong) {
  write("[\n " + job("a", "2017-10-09 00:00", "") + "]");
  EXPECT_THAT(error("philly-json"), HasSubstr("submitted_time: expected a time as \"YYYY-mm-dd "
                                              "HH:MM:SS\", got \"2017-10-09 00:00\""));
  EXPECT_THAT(error("philly-json"), testing::StartsWith(":2:"));
  write("[" + job("a", "2017-10-09 00:00:00", "", "Passed") + "]");
  EXPECT_THAT(error("philly-json"), HasSubstr("status: unknown status \"Passed\"; did you mean "
                                              "\"Pass\"? allowed: Pass, Killed, Failed"));
  write(R"([{"jobid": "a", "status": "Pass"}])");
  EXPECT_THAT(error("philly-json"), HasSubstr("the job has no \"submitted_time\""));
  write("[" + job("a\\u001b[2J", "2017-10-09 00:00:00", "") + "]");
  EXPECT_THAT(error("philly-json"), HasSubstr("a name holds control characters"));
  write(R"([{"jobid": 7}])");
  EXPECT_THAT(error("philly-json"), HasSubstr("jobid: expected text"));
  for (const char* attempts : {"{}", "3", "\"none\"", "[[]]", "[1]", R"([{"detail": {}}])",
                               R"([{"detail": [{"gpus": "all"}]}])"}) {
    write(std::string(R"([{"attempts": )") + attempts + "}]");
    EXPECT_THAT(error("philly-json"), HasSubstr(": expected a ")) << attempts;
  }
}

TEST_F(PhillyJson, RefusesOtherDocuments) {
  write("{\"jobs\": []}");
  EXPECT_THAT(error("philly-json"), HasSubstr("expected a list of jobs"));
  write("[1]");
  EXPECT_THAT(error("philly-json"), HasSubstr("expected a list of jobs"));
  write("[]");
  EXPECT_EQ(error("philly-json"), ":1:1: has no jobs");
}

TEST_F(PhillyJson, SaysWhereTheSyntaxBreaks) {
  write("[\n  {\"status\": Pass}]");
  EXPECT_EQ(error("philly-json"), ":2:14: is not JSON from here on: \"Pass}]\"");
}

TEST_F(PhillyJson, CollectsEveryBadJobUpToASyntaxError) {
  write("[" + job("a", "soon", "") + "," +
        job("b", "2017-10-09 00:00:00", attempt(quoted("00:01:00"), quoted("00:03:00"))) + "," +
        job("c", "2017-10-09 00:00:00", "", "Lost") + ",");
  const ImportResult result = collect("philly-json");
  EXPECT_THAT(names_of(result.workload), ElementsAre("b"));
  EXPECT_EQ(result.report.malformed_count(), 3);
}

}  // namespace
}  // namespace mimus::workloads
