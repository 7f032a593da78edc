// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Gavel's traces, whose run times come from measured throughputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/trace_files.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;
using test::at_seconds;
using testing::Contains;
using testing::HasSubstr;

class GavelFormat : public test::TraceFiles {
 protected:
  GavelFormat() {
    write_as(
        "throughputs.json",
        R"json({"v100": {"('ResNet-50 (batch size 64)', 2)": {"null": 4.0, "('LM', 1)": [1, 2]},
                          "('A3C', 1)": {
  "null" : 0.0}},
                 "k80": {"('ResNet-50 (batch size 64)', 2)": {"null": 0.5}}})json");
  }
  [[nodiscard]] std::string options(const std::string& more = "") const {
    return ", throughputs: \"" + folder_ + "/throughputs.json\"" + more;
  }
  static constexpr const char* kRow =
      "ResNet-50 (batch size 64)\tcommand\timagenet\t--num\t1\t1000\t2\t1\t-1\t7.5\n";
};

TEST_F(GavelFormat, DividesStepsByTheMeasuredThroughput) {
  write(kRow);
  const Workload workload = read("gavel", options(", keep_origin: true"));
  const Job& job = workload.jobs.at(0);
  EXPECT_EQ(job.run_time, seconds(250));  // 1000 steps at 4 per second
  EXPECT_EQ(job.gang, 2);
  EXPECT_EQ(job.model, "resnet50");
  EXPECT_EQ(job.total_batch, 128);
  EXPECT_EQ(job.arrival, at_seconds(7.5));
  EXPECT_EQ(read("gavel", options(", worker_type: k80")).jobs.at(0).run_time, seconds(2000));
}

TEST_F(GavelFormat, ReadsTheSevenColumnsOfTracesMadeFromPhilly) {
  write("ResNet-50 (batch size 64)\tcommand\t--num\t1\t1000\t7.5\t2\n");
  EXPECT_EQ(read("gavel", options()).jobs.at(0).run_time, seconds(250));
}

TEST_F(GavelFormat, DropsJobsThatCannotRunOnTheWorker) {
  write(std::string(kRow) + "A3C\tcommand\trl\t--max\t0\t10\t1\t1\t-1\t8\n");
  const Workload workload = read("gavel", options());
  EXPECT_EQ(workload.jobs.size(), 1U);
  EXPECT_THAT(workload.notes,
              Contains("dropped 1 of 2 rows: cannot_run: no throughput without co-tenants on "
                       "v100: the job cannot run there (line 2)"));
}

TEST_F(GavelFormat, GivesRatesOnTheTypesThatCanRunAJob) {
  write(std::string(kRow) +
        "ResNet-50 (batch size 64)\tcommand\timagenet\t--num\t1\t1000\t1\t1\t-1\t9\n");
  write_as("throughputs.json",
           R"json({"v100": {"('ResNet-50 (batch size 64)', 2)": {"null": 4.0},
                           "('ResNet-50 (batch size 64)', 1)": {"null": 2.5}},
                  "k80": {"('ResNet-50 (batch size 64)', 2)": {"null": 0.5},
                          "('ResNet-50 (batch size 64)', 1)": {"null": 0.0}}})json");
  const Workload workload = read("gavel", options(", also_on: [k80]"));
  const Job& on_both = workload.jobs.at(0);
  EXPECT_EQ(on_both.run_time, seconds(250));
  EXPECT_EQ(on_both.rates, (TypeRates{{"V100", 4.0}, {"K80", 0.5}}));
  EXPECT_EQ(on_both.gpu_types, (std::vector<std::string>{"V100", "K80"}));
  EXPECT_EQ(on_both.model, "");
  EXPECT_EQ(workload.jobs.at(1).rates, (TypeRates{{"V100", 2.5}}));
}

TEST_F(GavelFormat, GivesRatesOfPairsWithTheSameGang) {
  write(kRow);
  write_as("throughputs.json",
           R"json({"v100": {"('ResNet-50 (batch size 64)', 2)": {
                              "null": 4.0, "('LM', 2)": [3.5, 7], "('LM', 1)": [3.9, 8],
                              "('A3C', 2)": [0.0, 0.0]},
                            "('LM', 2)": {"null": 9.0, "('ResNet-50 (batch size 64)', 2)": [7, 3.5]}},
                  "k80": {"('ResNet-50 (batch size 64)', 2)": {"null": 0.5, "('LM', 2)": [0.4, 1]}}})json");
  const Workload workload = read("gavel", options(", also_on: [k80]"));
  const Job& job = workload.jobs.at(0);
  EXPECT_EQ(job.kind, "ResNet-50 (batch size 64)");
  ASSERT_NE(job.pair_rates, nullptr);
  EXPECT_EQ(*job.pair_rates, (PairRates{{{job.kind, "LM"}, {{"V100", 3.5}, {"K80", 0.4}}},
                                        {{"LM", job.kind}, {{"V100", 7.0}}}}));
}

TEST_F(GavelFormat, RefusesWhatWasNotMeasured) {
  write("ResNet-50 (batch size 64)\tcommand\timagenet\t--num\t1\t1000\t4\t1\t-1\t7.5\n");
  EXPECT_THAT(error("gavel", options()),
              HasSubstr(":1:1: job_type: no throughput of \"ResNet-50 (batch size 64)\" with scale "
                        "factor 4 on v100 in "));
  EXPECT_THAT(error("gavel", options(", worker_type: v10")),
              HasSubstr("unknown worker type \"v10\"; did you mean \"v100\"?"));
}

TEST_F(GavelFormat, RefusesThroughputsThatAreNone) {
  write(kRow);
  write_as("throughputs.json", "{\"v100\": [1]}");
  EXPECT_THAT(error("gavel", options()), HasSubstr("v100: expected a mapping of job types"));
  write_as("throughputs.json", R"json({"v100": {"('LM', 1)": {"null": 1, "('LM', 1)": 2}}})json");
  EXPECT_THAT(error("gavel", options()),
              HasSubstr("v100.('LM', 1): expected ('LM', 1): [steps/s, steps/s of the other]"));
  write_as("throughputs.json", "{\"v100\": ");
  EXPECT_THAT(error("gavel", options()), HasSubstr("throughputs.json: is not JSON"));
}

}  // namespace
}  // namespace mimus::workloads
