// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Samples and stretched copies of a workload.
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/generate/sampled_stream.hpp"
#include "workloads/generate/scaled_stream.hpp"
#include "workloads/statistics/statistics_collector.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;

/// Job i arrives at 10 i seconds, runs 60 s, on 4 GPUs when i is a multiple of 5.
OpenStream regular(int jobs) {
  return [jobs] {
    Workload workload;
    workload.source = "test";
    workload.source_hash = "0123456789abcdef";
    for (int i = 0; i < jobs; ++i) {
      Job job;
      job.id = JobId{i};
      job.name = "job-" + std::to_string(i);
      job.gang = i % 5 == 0 ? 4 : 1;
      job.total_batch = job.gang;
      job.arrival = Instant{seconds(10 * i)};
      job.run_time = seconds(60);
      job.work_samples = 60.0;
      workload.jobs.push_back(job);
    }
    return std::make_unique<WorkloadStream>(std::move(workload));
  };
}

Workload sampled(int jobs, const SampleSettings& settings) {
  SampledStream stream(regular(jobs), settings);
  return drain(stream);
}

Workload scaled(const OpenStream& open, const ScaleSettings& settings) {
  ScaledStream stream(open, settings, test::catalogue());
  return drain(stream);
}

TEST(Sample, TakesExactlyAsManyWithTheirArrivals) {
  const Workload sample = sampled(1000, {.jobs = 100, .seed = 3});
  ASSERT_EQ(sample.jobs.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(sample.jobs[i].id.index(), i);
    const int origin = std::stoi(sample.jobs[i].name.substr(4));
    EXPECT_EQ(sample.jobs[i].arrival, Instant{seconds(10 * origin)});
  }
}

TEST(Sample, AllJobsAreTheWorkload) {
  EXPECT_EQ(sampled(50, {.jobs = 50}).jobs.size(), 50U);
}

TEST(Sample, SeedsDecide) {
  const auto names = [](std::uint64_t seed) {
    std::string all;
    for (const Job& job : sampled(200, {.jobs = 20, .seed = seed}).jobs) all += job.name + " ";
    return all;
  };
  EXPECT_EQ(names(1), names(1));
  EXPECT_NE(names(1), names(2));
}

// Each of 20 jobs is taken with probability 1/4: 500 times in 2,000 samples, with a standard
// deviation of 19.
TEST(Sample, EveryJobHasTheSameChance) {
  std::map<std::string, int> taken;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (const Job& job : sampled(20, {.jobs = 5, .seed = seed}).jobs) ++taken[job.name];
  }
  ASSERT_EQ(taken.size(), 20U);
  for (const auto& [name, times] : taken) EXPECT_NEAR(times, 500, 85) << name;
}

// A fifth of 1,000 jobs are gangs of 4: 10.4 of 52. Rounding favours the larger remainder.
TEST(Sample, StrataKeepTheSharesOfTheGangs) {
  const Workload sample = sampled(1000, {.jobs = 52, .stratified = true, .seed = 9});
  int large = 0;
  for (const Job& job : sample.jobs) large += job.gang == 4 ? 1 : 0;
  EXPECT_EQ(sample.jobs.size(), 52U);
  EXPECT_EQ(large, 10);
}

// Jobs 20 to 29 arrive from 200 s to before 300 s.
TEST(Sample, WindowsBeginAtZero) {
  const Workload sample = sampled(100, {.from = seconds(200), .until = seconds(300)});
  ASSERT_EQ(sample.jobs.size(), 10U);
  EXPECT_EQ(sample.jobs.front().name, "job-20");
  EXPECT_EQ(sample.jobs.front().arrival, Instant{});
  EXPECT_EQ(sample.jobs.back().arrival, Instant{seconds(90)});
}

TEST(Sample, RefusesMoreThanThereAre) {
  EXPECT_EQ(test::message_of([] {
              (void)sampled(100, {.jobs = 11, .from = seconds(200), .until = seconds(300)});
            }),
            "a sample of 11 jobs was requested, but there are 10 in the window");
}

TEST(Sample, SaysWhatItIs) {
  const Workload sample = sampled(100, {.jobs = 11, .seed = 4});
  EXPECT_THAT(sample.notes, testing::ElementsAre("sample of 11 jobs, seed 4"));
  EXPECT_EQ(sample.source, "test");
  EXPECT_NE(sample.source_hash, "0123456789abcdef");
}

TEST(Scale, ArrivalsComeMoreOften) {
  const Workload faster = scaled(regular(10), {.arrivals = 2.0});
  EXPECT_EQ(faster.jobs[9].arrival, Instant{seconds(45)});
  EXPECT_EQ(faster.jobs[9].run_time, seconds(60));
}

TEST(Scale, RunTimesTakeTheirWorkAlong) {
  const Workload longer = scaled(regular(2), {.run_times = 1.5});
  EXPECT_EQ(longer.jobs[1].run_time, seconds(90));
  EXPECT_DOUBLE_EQ(longer.jobs[1].work_samples, 90.0);
  EXPECT_EQ(longer.jobs[1].arrival, Instant{seconds(10)});
}

TEST(Scale, GangsAreRoundedAndCutDown) {
  const Workload larger = scaled(regular(2), {.gangs = 2.5, .max_gang = 8});
  EXPECT_EQ(larger.jobs[0].gang, 8);  // 4 · 2.5 = 10
  EXPECT_EQ(larger.jobs[1].gang, 3);  // 1 · 2.5, half away from zero
  EXPECT_EQ(larger.jobs[1].total_batch, 3);
  EXPECT_EQ(larger.jobs[1].run_time, seconds(60));
  EXPECT_EQ(scaled(regular(2), {.gangs = 0.1}).jobs[1].gang, 1);
}

TEST(Scale, WorkOfAModelFollowsTheGang) {
  Job job;
  job.model = "resnet18";
  job.gang = 2;
  job.total_batch = 3;
  job.work_samples = 1000.0;
  const OpenStream open = [&job] {
    return std::make_unique<WorkloadStream>(Workload{{job}, "test", "", {}});
  };
  const Workload larger = scaled(open, {.gangs = 4.0});
  EXPECT_EQ(larger.jobs[0].gang, 8);
  EXPECT_EQ(larger.jobs[0].total_batch, 8);
  EXPECT_DOUBLE_EQ(larger.jobs[0].work_samples, 4000.0);
}

TEST(Scale, GangsOfASplitModelStayWholeReplicas) {
  Job job;
  job.name = "split";
  job.model = "gpt@t2p4";
  job.gang = 16;
  job.total_batch = 32;
  job.work_samples = 1000.0;
  const OpenStream open = [&job] {
    return std::make_unique<WorkloadStream>(Workload{{job}, "test", "", {}});
  };
  EXPECT_EQ(scaled(open, {.gangs = 1.6}).jobs[0].gang, 24);  // 25.6 is nearest to three replicas
  EXPECT_EQ(scaled(open, {.gangs = 0.1}).jobs[0].gang, 8);
  EXPECT_EQ(scaled(open, {.max_gang = 15}).jobs[0].gang, 8);
  EXPECT_DOUBLE_EQ(scaled(open, {.max_gang = 15}).jobs[0].work_samples, 500.0);
  EXPECT_EQ(test::message_of([&] { (void)scaled(open, {.max_gang = 4}); }),
            "a gang of at most 4 cannot run job \"split\": a replica of gpt@t2p4 takes 8");
  job.model = "claire@t16";
  EXPECT_EQ(scaled(open, {.gangs = 2.0}).jobs[0].gang, 16) << "one GPU for each slab";
}

// Ten jobs span 90 s with gaps of 10 s: the second round begins at 100 s.
TEST(Scale, RepetitionsFollowOneAnother) {
  const Workload twice = scaled(regular(10), {.repeat = 2});
  ASSERT_EQ(twice.jobs.size(), 20U);
  EXPECT_EQ(twice.jobs[10].arrival, Instant{seconds(100)});
  EXPECT_EQ(twice.jobs[19].arrival, Instant{seconds(190)});
  EXPECT_EQ(twice.jobs[19].id.value(), 19);
  std::set<std::string> names;
  for (const Job& job : twice.jobs) names.insert(job.name);
  EXPECT_EQ(names.size(), 20U);
}

TEST(Scale, FindsTheArrivalsForALoad) {
  ScaleSettings settings{.run_times = 2.0};
  settings.arrivals = arrivals_for_load(regular(100), settings, 0.8, 32, test::catalogue());
  ScaledStream stream(regular(100), settings, test::catalogue());
  EXPECT_NEAR(*statistics_of(stream, test::catalogue()).offered_load(32), 0.8, 1e-6);
}

TEST(Scale, NoLoadComesFromJobsThatArriveTogether) {
  EXPECT_THAT(
      test::message_of([] { (void)arrivals_for_load(regular(1), {}, 0.8, 32, test::catalogue()); }),
      testing::StartsWith("no arrival rate gives that load"));
}

}  // namespace
}  // namespace mimus::workloads
