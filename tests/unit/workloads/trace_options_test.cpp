// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Options that every trace has, tested with Philly's table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/trace_files.hpp"
#include "workloads/traces/public_traces.hpp"
#include "workloads/traces/trace_memory.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;
using test::at_seconds;
using test::names_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TraceOptionsTest : public test::TraceFiles {
 protected:
  TraceOptionsTest() {
    write(
        "job_id,submit,duration,num_gpus,vc\n"
        "a,100,10,1,red\n"
        "b,110,20,2,blue\n"
        "c,120,30,8,red\n"
        "d,160,40,4,green\n");
  }
};

TEST_F(TraceOptionsTest, ByDefaultEveryRowIsARunTimeOnItsGang) {
  const Workload workload = read("philly");
  ASSERT_EQ(workload.jobs.size(), 4U);
  const Job& job = workload.jobs[2];
  EXPECT_EQ(job.id, JobId{2});
  EXPECT_EQ(job.name, "c");
  EXPECT_EQ(job.virtual_cluster, "red");
  EXPECT_EQ(job.user, "user");
  EXPECT_EQ(job.model, "");
  EXPECT_EQ(job.gang, 8);
  EXPECT_EQ(job.total_batch, 8);
  EXPECT_EQ(job.run_time, seconds(30));
  EXPECT_DOUBLE_EQ(job.work_samples, 30.0);
  EXPECT_EQ(job.user_estimate, Duration{});
}

TEST_F(TraceOptionsTest, ATraceThatIsNotThereSaysHowToGetIt) {
  const auto absent = [](const std::string& format) {
    return test::message_of(
        [&] { (void)test::make_workload("{source: " + format + ", path: nowhere}"); });
  };
  EXPECT_THAT(absent("philly"), HasSubstr("workload.path: \"nowhere\" does not exist; the trace "
                                          "\"philly\" is not part of Mimus: \"mimus workload get "
                                          "philly\" says where it is published"));
  EXPECT_THAT(absent("pai-tables"), HasSubstr("\"mimus workload get pai\""));
  EXPECT_THAT(absent("csv"), HasSubstr("\"nowhere\" does not exist; check the path"));
}

TEST(TracesToGet, AreThoseThatTheSourcesRead) {
  std::vector<std::string> read;
  for (const PublicTrace& trace : public_traces()) {
    read.insert(read.end(), trace.sources.begin(), trace.sources.end());
    EXPECT_THAT(trace.home, testing::StartsWith("https://"));
    EXPECT_THAT(trace.fetch, testing::Not(IsEmpty()));
    EXPECT_THAT(trace.use.front(), testing::StartsWith("mimus workload convert "));
    EXPECT_THAT(trace.use.front(), HasSubstr(" --format " + trace.sources.front() + " "));
  }
  std::vector<std::string> traces;
  for (const auto& choice : workload_sources().choices()) {
    const bool is_trace = choice.parameters.front().name == "path";
    const bool is_of_many_machines = choice.name == "csv" || choice.name == "swf";
    if (is_trace && !is_of_many_machines) traces.push_back(choice.name);
  }
  EXPECT_THAT(read, testing::UnorderedElementsAreArray(traces));
}

TEST_F(TraceOptionsTest, TheFirstJobArrivesAtZero) {
  const Workload workload = read("philly");
  EXPECT_EQ(workload.jobs[0].arrival, at_seconds(0));
  EXPECT_EQ(workload.jobs[3].arrival, at_seconds(60));
  EXPECT_THAT(workload.notes, ElementsAre("arrivals shifted so that the first is 0: it was 100 s"));
}

TEST_F(TraceOptionsTest, KeepOriginKeepsTheTracesZero) {
  const Workload workload = read("philly", ", keep_origin: true");
  EXPECT_EQ(workload.jobs[0].arrival, at_seconds(100));
  EXPECT_THAT(workload.notes, IsEmpty());
}

TEST_F(TraceOptionsTest, FirstKeepsTheEarliestJobs) {
  const Workload workload = read("philly", ", first: 2");
  EXPECT_THAT(names_of(workload), ElementsAre("a", "b"));
  EXPECT_THAT(workload.notes, Contains("first 2 of 4 jobs"));
}

TEST_F(TraceOptionsTest, FromAndUntilCountFromTheFirstSubmission) {
  const Workload workload = read("philly", ", from: 10 s, until: 60 s");
  EXPECT_THAT(names_of(workload), ElementsAre("b", "c"));
  EXPECT_EQ(workload.jobs[0].arrival, at_seconds(0));
  EXPECT_THAT(workload.notes,
              ElementsAre("dropped 1 of 4 rows: from: submitted before the chosen span (line 2)",
                          "dropped 1 of 4 rows: until: submitted after the chosen span (line 5)",
                          "arrivals shifted so that the first is 0: it was 110 s"));
}

TEST_F(TraceOptionsTest, CompressesArrivalsAndScalesRunTimes) {
  const Workload workload = read("philly", ", compress_arrivals: 4, scale_run_times: 0.5");
  EXPECT_EQ(workload.jobs[3].arrival, at_seconds(15));
  EXPECT_EQ(workload.jobs[3].run_time, seconds(20));
  EXPECT_DOUBLE_EQ(workload.jobs[3].work_samples, 20.0);
}

TEST_F(TraceOptionsTest, LeavesOutByRunTimeGangVirtualClusterAndUser) {
  EXPECT_THAT(names_of(read("philly", ", min_run_time: 20 s")), ElementsAre("b", "c", "d"));
  EXPECT_THAT(names_of(read("philly", ", max_gang: 4")), ElementsAre("a", "b", "d"));
  EXPECT_THAT(names_of(read("philly", ", virtual_clusters: [red, green]")),
              ElementsAre("a", "c", "d"));
  EXPECT_THAT(names_of(read("philly", ", users: [nobody]")), IsEmpty());
}

TEST_F(TraceOptionsTest, RefusesGangsLargerThanTheCluster) {
  EXPECT_EQ(error("philly", "", 4),
            ":4:10: num_gpus: 8 GPUs, but the cluster has 4; enlarge the cluster or set "
            "\"oversized: clamp\"");
}

TEST_F(TraceOptionsTest, DropsThemOnRequest) {
  const Workload workload = read("philly", ", oversized: drop", 4);
  EXPECT_THAT(names_of(workload), ElementsAre("a", "b", "d"));
  EXPECT_EQ(workload.jobs[2].id, JobId{2});
  EXPECT_THAT(workload.notes, Contains("dropped 1 of 4 rows: oversized: the gang is larger than "
                                       "the cluster's 4 GPUs (line 4)"));
}

TEST_F(TraceOptionsTest, ClampingKeepsTheGpuTime) {
  const Job job = read("philly", ", oversized: clamp", 4).jobs.at(2);
  EXPECT_EQ(job.gang, 4);
  EXPECT_EQ(job.run_time, seconds(60));  // 8 GPUs × 30 s = 4 GPUs × 60 s
}

// The user stated 400 s on 256 GPUs. That is 800 s on 128, and 80 s when scaled to a tenth.
TEST_F(TraceOptionsTest, ClampingLengthensStatedEstimatesWithTheRunTime) {
  write("gang,arrival,run_time,estimate\n256,0,100,400\n128,0,100,400\n256,0,100,\n");
  const auto estimates = [&](const std::string& options) {
    std::vector<Duration> all;
    for (const Job& job : read("csv", ", oversized: clamp" + options, 128).jobs) {
      all.push_back(job.user_estimate);
    }
    return all;
  };
  EXPECT_THAT(estimates(""), ElementsAre(seconds(800), seconds(400), Duration{}));
  EXPECT_THAT(estimates(", scale_run_times: 0.1"),
              ElementsAre(seconds(80), seconds(40), Duration{}));
}

TEST_F(TraceOptionsTest, EstimatesAreTrueOrNoisyAroundTheTruth) {
  EXPECT_EQ(read("philly", ", estimate: true").jobs[1].user_estimate, seconds(20));
  EXPECT_EQ(read("philly", ", estimate: noisy, estimate_error: 0").jobs[1].user_estimate,
            seconds(20));
  const Workload noisy = read("philly", ", estimate: noisy, estimate_error: 0.5");
  for (const Job& job : noisy.jobs) {
    EXPECT_NE(job.user_estimate, job.run_time);
    EXPECT_GT(job.user_estimate, Duration{});
  }
  EXPECT_EQ(error("philly", ", estimate: user_dur"),
            "w.yaml:1:" +
                std::to_string(std::string("{source: philly, path: \"\", estimate: ").size() +
                               path().size() + 1) +
                ": workload.estimate: unknown value \"user_dur\"; allowed: none, true, noisy");
}

TEST_F(TraceOptionsTest, NoisyEstimatesDependOnTheSeedAlone) {
  const auto noisy = source("philly", ", estimate: noisy");
  const auto estimate = [&](std::uint64_t seed) {
    return noisy->make({test::catalogue(), seed, 64}).jobs[0].user_estimate;
  };
  EXPECT_EQ(estimate(1), estimate(1));
  EXPECT_NE(estimate(1), estimate(2));
}

TEST_F(TraceOptionsTest, RowsDrawTheSameWhicheverOthersAreKept) {
  const std::string drawn =
      ", estimate: noisy, models: [{model: neumf, weight: 1}, {model: resnet18, weight: 1}]";
  const Workload all = read("philly", drawn);
  const Workload some = read("philly", drawn + ", oversized: drop", 4);  // without "c"
  const Workload late = read("philly", drawn + ", from: 60 s, compress_arrivals: 7");  // "d" alone

  for (const Job& job : {some.jobs.at(2), late.jobs.at(0)}) {
    EXPECT_EQ(job.name, "d");
    EXPECT_EQ(job.model, all.jobs[3].model);
    EXPECT_EQ(job.user_estimate, all.jobs[3].user_estimate);
  }
}

TEST_F(TraceOptionsTest, ModelsAreDrawnByGpuTime) {
  // GPU times: a 10, b 40, c 240, d 160 GPU seconds.
  const Workload workload =
      read("philly",
           ", models: [{model: neumf, max_gpu_time: 40 s}, {model: resnet18, min_gpu_time: 41 s}]");
  std::vector<std::string> models;
  for (const Job& job : workload.jobs) models.push_back(job.model);
  EXPECT_THAT(models, ElementsAre("neumf", "neumf", "resnet18", "resnet18"));
  const Model& resnet = test::catalogue().at("resnet18");
  EXPECT_DOUBLE_EQ(workload.jobs[2].work_samples, 30.0 * 8 * resnet.reference_throughput);
  EXPECT_EQ(workload.jobs[2].run_time, seconds(30));
  EXPECT_EQ(workload.jobs[2].total_batch, 256);  // 8 GPUs × at least 32
}

TEST_F(TraceOptionsTest, ModelsAreDrawnByWeight) {
  std::string rows = "job_id,submit,duration,num_gpus,vc\n";
  for (int i = 0; i < 2000; ++i) rows += std::to_string(i) + ",0,10,1,x\n";
  write(rows);
  const Workload workload =
      read("philly", ", models: [{model: neumf, weight: 3}, {model: gpt, weight: 1}]");
  int neumf = 0;
  for (const Job& job : workload.jobs) neumf += job.model == "neumf" ? 1 : 0;
  // Binomial, mean 1500, standard deviation 19. The tolerance is five of them.
  EXPECT_NEAR(neumf, 1500, 97);
}

TEST_F(TraceOptionsTest, RefusesAJobThatNoModelCovers) {
  EXPECT_EQ(error("philly", ", models: [{model: neumf, max_gpu_time: 39 s}]"),
            ":3:10: the job needs 40 s of GPU time, which no entry of \"models\" covers; widen a "
            "min_gpu_time or max_gpu_time");
}

TEST_F(TraceOptionsTest, RefusesModelsThatAreUnknown) {
  EXPECT_THAT(error("philly", ", models: [{model: gtp}]"),
              HasSubstr("workload.models[0].model: unknown model \"gtp\"; did you mean \"gpt\"?"));
}

TEST_F(TraceOptionsTest, RefusesRunTimesThatScaleBeyondTheClock) {
  EXPECT_THAT(error("philly", ", scale_run_times: 1000000, min_run_time: 30 s"),
              "nothing was thrown");
  write("job_id,submit,duration,num_gpus,vc\na,0,100000,1,red\n");
  EXPECT_THAT(error("philly", ", scale_run_times: 1000000"), HasSubstr(":2:12: the job runs for"));
}

TEST_F(TraceOptionsTest, HashCoversContentAndOptionsButNotThePath) {
  const std::string hash = read("philly").source_hash;
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(read("philly").source_hash, hash);
  EXPECT_NE(read("philly", ", compress_arrivals: 2").source_hash, hash);
  EXPECT_NE(read("philly", ", zero_gpus: one").source_hash, hash);
  std::filesystem::copy_file(path(), folder_ + "/copy");
  const auto copy = source("philly", "", "/copy");
  EXPECT_EQ(copy->make({test::catalogue(), 1, 64}).source_hash, hash);
  write("job_id,submit,duration,num_gpus,vc\na,0,10,1,red\n");
  EXPECT_NE(read("philly").source_hash, hash);
}

TEST_F(TraceOptionsTest, CellsThatDifferInOptionsShareOneParse) {
  (void)read("philly");
  const auto before = traces_parsed();
  (void)read("philly", ", first: 2");
  (void)read("philly", ", compress_arrivals: 3, estimate: noisy", 32);
  EXPECT_EQ(traces_parsed(), before);
  (void)read("philly", ", zero_gpus: one");  // changes the meaning of rows
  EXPECT_EQ(traces_parsed(), before + 1);
}

TEST_F(TraceOptionsTest, AChangedFileIsParsedAgain) {
  EXPECT_EQ(read("philly").jobs.size(), 4U);
  write("job_id,submit,duration,num_gpus,vc\na,0,10,1,red\n");
  EXPECT_EQ(read("philly").jobs.size(), 1U);
}

TEST_F(TraceOptionsTest, AStreamGivesTheSameJobsAndOutlivesItsSource) {
  const Workload whole = read("philly");
  auto stream = source("philly")->open({test::catalogue(), 1, 64});
  EXPECT_EQ(stream->size(), 4);
  EXPECT_EQ(stream->notes(), whole.notes);
  EXPECT_EQ(stream->source(), path());
  EXPECT_EQ(stream->source_hash(), whole.source_hash);
  for (const Job& job : whole.jobs) EXPECT_EQ(stream->next()->name, job.name);
  EXPECT_EQ(stream->next(), std::nullopt);
}

TEST_F(TraceOptionsTest, AMissingFileIsNamed) {
  EXPECT_THAT(
      test::message_of([] { (void)test::make_workload("{source: philly, path: no/such.csv}"); }),
      HasSubstr("\"no/such.csv\" does not exist"));
}

}  // namespace
}  // namespace mimus::workloads
