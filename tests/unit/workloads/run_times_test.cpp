// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The work of stated run times on a cluster, and the load that generators offer it.
#include "workloads/jobs/run_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/generate/scaled_stream.hpp"
#include "workloads/statistics/statistics_collector.hpp"

namespace mimus::workloads {
namespace {

using std::chrono::seconds;

/// The given number of samples per second and GPU, and a loss for every further GPU.
class FakeRates final : public TrainingRates {
 public:
  explicit FakeRates(double per_gpu) : per_gpu_(per_gpu) {}
  [[nodiscard]] double samples_per_second(const Model& model, int gang,
                                          std::int64_t total_batch) const override {
    const double of_model = model.name == "resnet18" ? 3.0 : 1.0;
    const double of_batch = 1.0 + 1e-3 * static_cast<double>(total_batch);
    return per_gpu_ * of_model * of_batch * gang / (1.0 + 0.1 * (gang - 1));
  }

 private:
  double per_gpu_;
};

const std::shared_ptr<const TrainingRates> kSlow = std::make_shared<FakeRates>(2.0);
const std::shared_ptr<const TrainingRates> kFast = std::make_shared<FakeRates>(10.0);

const Model& resnet() {
  return test::catalogue().at("resnet18");
}

// 50 samples/s of one GPU, 4 GPUs, 30 s.
TEST(RunTimes, GoByThePublishedRateOfOneGpuWithoutACluster) {
  Model model;
  model.reference_throughput = 50.0;
  EXPECT_DOUBLE_EQ(RunTimes{}.samples_in(model, 4, 64, seconds(30)), 6000.0);
  EXPECT_EQ(RunTimes{}.of_samples(model, 4, 64, 6000.0), seconds(30));
}

// 10 x 3 x 1.1 x 2 / 1.1 = 60 samples/s on the cluster, a fifth of it elsewhere.
TEST(RunTimes, HoldOnTheClusterOrElsewhere) {
  const RunTimes here(kFast, kFast);
  EXPECT_DOUBLE_EQ(here.samples_in(resnet(), 2, 100, seconds(10)), 600.0);
  EXPECT_EQ(here.on_cluster(resnet(), 2, 100, seconds(10)), seconds(10));

  const RunTimes elsewhere(kSlow, kFast);
  EXPECT_DOUBLE_EQ(elsewhere.samples_in(resnet(), 2, 100, seconds(10)), 120.0);
  EXPECT_EQ(elsewhere.on_cluster(resnet(), 2, 100, seconds(10)), seconds(2));
  EXPECT_DOUBLE_EQ(elsewhere.stretch(resnet(), 2, 100), 0.2);
}

TEST(RunTimes, OfJobsAreTheirWorkUnlessTheyRunAsRecorded) {
  Job job;
  job.model = "resnet18";
  job.gang = 2;
  job.total_batch = 100;
  job.work_samples = 600.0;
  job.run_time = seconds(77);
  const RunTimes here(kFast, kFast);
  EXPECT_EQ(here.of(job, test::catalogue()), seconds(10));
  EXPECT_EQ(here.recorded().of(job, test::catalogue()), seconds(77));
  job.run_time = {};
  EXPECT_EQ(here.recorded().of(job, test::catalogue()), seconds(10));
  job.model = "";
  job.run_time = seconds(5);
  EXPECT_EQ(here.of(job, test::catalogue()), seconds(5));
}

Workload drawn(const std::string& yaml, const RunTimes& run_times) {
  const auto source = make_workload_source(parse_yaml(yaml, "w.yaml"), "workload");
  return source->make({test::catalogue(), 3, 64, run_times});
}

// Work follows from the run time where it holds, so the jobs of duration_on are the same on every
// cluster.
TEST(RunTimes, OfGeneratorsGiveTheWorkWhereTheyHold) {
  const std::string yaml =
      "{source: poisson, jobs: 50, mean_interarrival: 1 s, duration: 1 h, duration_sigma: 0, "
      "estimate_error: 0}";
  const Workload here = drawn(yaml, {kFast, kFast});
  const Workload elsewhere = drawn(yaml, {kSlow, kFast});
  const Workload same = drawn(yaml, {kSlow, kSlow});
  for (std::size_t i = 0; i < 50; ++i) {
    const Job& job = here.jobs[i];
    const double rate =
        kFast->samples_per_second(test::catalogue().at(job.model), job.gang, job.total_batch);
    EXPECT_DOUBLE_EQ(job.work_samples, 3600.0 * rate);
    EXPECT_EQ(job.user_estimate, seconds(3600));
    EXPECT_DOUBLE_EQ(elsewhere.jobs[i].work_samples, same.jobs[i].work_samples);
    EXPECT_EQ(elsewhere.jobs[i].user_estimate, seconds(720));  // a fifth on the fast cluster
  }
}

// Lognormal run times of sigma 0.3 and 20,000 jobs: the mean is within 0.3 / sqrt(20,000) = 0.2 %,
// the mean gap within 0.7 %, the mean of gangs and of gang by model within 1 %.
TEST(RunTimes, LoadIsThatOfTheClusterWhereverTheyHold) {
  const std::string few = "gangs: {1: 1, 4: 1}, mix: {resnet18: 1, bert-base: 2}";
  const std::vector<std::string> workloads{
      "source: poisson, duration_sigma: 0.3, batch: scaled, " + few,
      "source: poisson, work_fraction: 0.001, " + few,
      "source: philly-like, arrivals: poisson, burst: 1, median_run_time: 30 min, mean_run_time: "
      "31 min, " +
          few,
      "source: pai-like, arrivals: poisson, recurring: 0, median_run_time: 30 min, mean_run_time: "
      "31 min, " +
          few};
  for (const std::string& parameters : workloads) {
    for (const RunTimes& run_times : {RunTimes(kSlow, kFast), RunTimes(kFast, kFast)}) {
      const auto source = make_workload_source(
          parse_yaml("{jobs: 20000, load: 0.8, " + parameters + "}", "w.yaml"), "workload");
      const auto stream = source->open({test::catalogue(), 5, 64, run_times});
      const auto statistics = statistics_of(*stream, test::catalogue(), run_times);
      EXPECT_NEAR(*statistics.offered_load(64), 0.8, 0.025) << parameters;
    }
  }
}

TEST(RunTimes, OfRunTimesAloneAreNotConverted) {
  const Workload workload = drawn(
      "{source: poisson, jobs: 3, load: 1, run_time_jobs: true, duration_sigma: 0, duration: "
      "1 h}",
      {kSlow, kFast});
  for (const Job& job : workload.jobs) EXPECT_EQ(job.run_time, seconds(3600));
}

// A gang of four is 4 / 1.3 times as fast as one GPU.
TEST(RunTimes, OfScaledGangsStayAsTheyWere) {
  const RunTimes here(kFast, kFast);
  const OpenStream open = [&] {
    return std::make_unique<WorkloadStream>(
        drawn("{source: jobs, jobs: [{model: resnet18, duration: 1 h, batch: 256}]}", here));
  };
  ScaledStream stream(open, {.gangs = 4.0}, test::catalogue(), here);
  const Job job = drain(stream).jobs.at(0);
  EXPECT_EQ(job.gang, 4);
  EXPECT_NEAR(to_seconds(here.of(job, test::catalogue())), 3600.0, 1e-6);
}

TEST(RunTimes, OfTracesWithAModelAreTheirWork) {
  const std::string yaml =
      "{source: jobs, jobs: [{model: resnet18, gang: 2, batch: 100, run_time: 10 s}]}";
  EXPECT_DOUBLE_EQ(drawn(yaml, {kFast, kFast}).jobs[0].work_samples, 600.0);
  EXPECT_DOUBLE_EQ(drawn(yaml, {kSlow, kFast}).jobs[0].work_samples, 120.0);
}

}  // namespace
}  // namespace mimus::workloads
