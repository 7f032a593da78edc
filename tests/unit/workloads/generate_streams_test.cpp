// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Properties of every generator: the same jobs for a seed, as a stream and at once, in order.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/generate/generators.hpp"

namespace mimus::workloads {
namespace {

const std::vector<std::string>& generators() {
  static const std::vector<std::string> all{
      "source: poisson, mean_interarrival: 40 s",
      "source: poisson, load: 0.7, run_time_jobs: true, failure_rate: 0.3, virtual_clusters: 3",
      "source: diurnal, load: 0.7, estimate_error: 0, start: 5 d",
      "source: philly-like, load: 0.7, estimate_error: 1, failing_attempts: 2",
      "source: philly-like, mean_interarrival: 1 min, burst: 1, arrivals: poisson, mix: {gpt: 1}",
      "source: pai-like, load: 1.5, estimate_error: 0.2",
      "source: pai-like, mean_interarrival: 1 s, recurring: 1, mix: {resnet50: 1, neumf: 2}",
      "source: recurring, groups: [{tag: a, period: 7 min, jitter: 5 min, copies: 9, run_time: 1 h}"
      ", {tag: b, period: 3 min, run_time: 5 min, model: resnet18, gang: 2}]"};
  return all;
}

std::unique_ptr<WorkloadSource> source_of(const std::string& parameters, int jobs) {
  const auto yaml = fmt::format("{{{}, jobs: {}}}", parameters, jobs);
  return make_workload_source(parse_yaml(yaml, "w.yaml"), "workload");
}

/// All fields of a job as text.
std::string described(const Job& job) {
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", job.id.value(), job.name, job.user,
                  job.virtual_cluster, job.group, job.model, job.gang, job.total_batch,
                  job.gpu_share, job.work_samples, job.arrival.time_since_epoch().count(),
                  job.run_time.count(), job.user_estimate.count(), name(job.recorded));
  for (const auto& failure : job.failures.failures) {
    text += fmt::format(" {} {}\n", failure.at_progress, failure.reason);
  }
  return text;
}

std::string described(const Workload& workload) {
  std::string text = workload.source + workload.source_hash + "\n";
  for (const Job& job : workload.jobs) text += described(job);
  for (const std::string& note : workload.notes) text += note;
  return text;
}

RC_GTEST_PROP(Generators, EqualSeedsGiveEqualJobsAsStreamAndAtOnce, ()) {
  const auto parameters = *rc::gen::elementOf(generators());
  const auto source = source_of(parameters, *rc::gen::inRange(1, 200));
  const WorkloadContext context{test::catalogue(), *rc::gen::arbitrary<std::uint64_t>(),
                                *rc::gen::inRange(2, 300)};
  RC_ASSERT(described(source->make(context)) == described(drain(*source->open(context))));
}

RC_GTEST_PROP(Generators, JobsAreInOrderAndWellFormed, ()) {
  const auto parameters = *rc::gen::elementOf(generators());
  const int jobs = *rc::gen::inRange(1, 300);
  const int gpus = *rc::gen::inRange(2, 300);
  const auto source = source_of(parameters, jobs);
  const Workload workload =
      source->make({test::catalogue(), *rc::gen::arbitrary<std::uint64_t>(), gpus});
  RC_ASSERT(workload.jobs.size() == static_cast<std::size_t>(jobs));
  Instant last{};
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const Job& job = workload.jobs[i];
    RC_ASSERT(job.id.index() == i);
    RC_ASSERT(job.arrival >= last);
    RC_ASSERT(job.gang >= 1 && job.gang <= gpus);
    RC_ASSERT(job.gpu_share > 0.0 && (job.gpu_share == 1.0 || job.gang == 1));
    RC_ASSERT(job.total_batch >= job.gang);
    RC_ASSERT(job.work_samples > 0.0);
    RC_ASSERT(!job.model.empty() || job.run_time > Duration{});
    RC_ASSERT(!job.name.empty() && !job.user.empty() && !job.virtual_cluster.empty());
    last = job.arrival;
  }
}

TEST(Generators, OtherSeedsGiveOtherJobs) {
  for (const std::string& parameters : generators()) {
    const auto source = source_of(parameters, 20);
    EXPECT_NE(described(source->make({test::catalogue(), 1, 64})),
              described(source->make({test::catalogue(), 2, 64})))
        << parameters;
  }
}

TEST(Generators, LongerWorkloadsBeginWithTheShorterOnes) {
  for (const std::string& parameters : generators()) {
    if (parameters.find("pai-like") != std::string::npos) continue;  // more groups at a time
    const auto shorter = source_of(parameters, 10)->make({test::catalogue(), 1, 64});
    const auto longer = source_of(parameters, 40)->make({test::catalogue(), 1, 64});
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(described(shorter.jobs[i]), described(longer.jobs[i])) << parameters;
    }
  }
}

TEST(Generators, StreamsKnowTheirLengthAndOrigin) {
  const auto stream = source_of("source: pai-like, load: 1", 17)->open({test::catalogue(), 1, 512});
  EXPECT_EQ(stream->size(), 17);
  EXPECT_EQ(stream->source(), "generator pai-like");
  EXPECT_EQ(stream->source_hash().size(), 16U);
}

TEST(Generators, HashesDifferWithTheParameters) {
  const auto hash = [](const std::string& parameters) {
    return source_of(parameters, 5)->open({test::catalogue(), 1, 512})->source_hash();
  };
  EXPECT_EQ(hash("source: philly-like, load: 1"), hash("load: 1, source: philly-like"));
  EXPECT_NE(hash("source: philly-like, load: 1"), hash("source: philly-like, load: 2"));
  EXPECT_NE(hash("source: poisson, load: 1"), hash("source: diurnal, load: 1"));
  EXPECT_NE(hash("source: poisson, load: 1"), hash("source: poisson, load: 1, duration_on: T4"));
}

TEST(Generators, AreAllInTheTableOfSources) {
  const auto names = workload_sources().names();
  for (const auto& generator : generator_sources()) {
    EXPECT_NE(std::find(names.begin(), names.end(), generator.name), names.end());
  }
}

}  // namespace
}  // namespace mimus::workloads
