// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Workloads that are drawn until they ask for a multiple of the cluster (workload.draw).
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

/// Jobs a to d ask for 1, 2, half a and no GPU.
constexpr const char* kJobs =
    "jobs: [{name: a, run_time: 5 s}, {name: b, run_time: 6 s, gang: 2},"
    " {name: c, run_time: 7 s, gpu_share: 0.5}, {name: d, run_time: 8 s, gang: 0, cores: 1}]";

Workload drawn(const std::string& draw, std::uint64_t seed, int cluster_gpus = 8) {
  const auto source = make_workload_source(
      parse_yaml(std::string("{source: jobs, draw: ") + draw + ", " + kJobs + "}", "w.yaml"),
      "workload");
  return source->make({test::catalogue(), seed, cluster_gpus});
}

double requested(const Workload& workload) {
  double sum = 0.0;
  for (const Job& job : workload.jobs) sum += job.gang * job.gpu_share;
  return sum;
}

TEST(DrawnJobs, ComeOnceEachAndThenAgainUntilEnoughIsRequested) {
  std::set<std::string> first_names;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Workload workload = drawn("{requested: 3, gap: 4 s}", seed);
    std::map<std::string, int> among_first;
    for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
      const Job& job = workload.jobs[i];
      EXPECT_EQ(job.id, JobId{static_cast<std::int64_t>(i)});
      EXPECT_EQ(job.arrival, Instant{i * std::chrono::seconds(4)});
      EXPECT_LT(job.run_time, std::chrono::seconds(9));
      if (i < 4) ++among_first[job.name];
    }
    EXPECT_EQ(among_first.size(), 4U);
    EXPECT_LE(requested(workload), 24.0);
    EXPECT_GT(requested(workload), 22.0);  // the next one, of 2 GPUs at most, was too much
    first_names.insert(workload.jobs[0].name);
  }
  EXPECT_EQ(first_names.size(), 4U);
}

TEST(DrawnJobs, AreThoseOfTheSeed) {
  const auto names = [](std::uint64_t seed) {
    std::string all;
    for (const Job& job : drawn("{requested: 5}", seed).jobs) all += job.name;
    return all;
  };
  EXPECT_EQ(names(1), names(1));
  EXPECT_NE(names(1), names(2));
}

TEST(DrawnJobs, EndBeforeAllHaveComeIfThatIsEnough) {
  EXPECT_LE(requested(drawn("{requested: 0.25}", 3)), 2.0);
}

TEST(DrawnJobs, AreRefusedWhereNoneAsksForAGpu) {
  const auto source =
      make_workload_source(parse_yaml("{source: jobs, draw: {requested: 1},"
                                      " jobs: [{name: d, run_time: 8 s, gang: 0, cores: 1}]}",
                                      "w.yaml"),
                           "workload");
  EXPECT_THROW((void)source->make({test::catalogue(), 1, 8}), UsageError);
}

/// Also where the drawn jobs are changed: the population is the four listed jobs, changed alike.
TEST(DrawnJobs, HaveTheListedJobsAsPopulation) {
  for (const char* change : {"", "opportunistic: 1, ", "deadlines: [2], "}) {
    const auto source = make_workload_source(
        parse_yaml(std::string("{source: jobs, draw: {requested: 3}, ") + change + kJobs + "}",
                   "w.yaml"),
        "workload");
    const Workload population = drain(*source->population({test::catalogue(), 1, 8}));
    std::string names;
    for (const Job& job : population.jobs) {
      names += job.name;
      EXPECT_EQ(job.opportunistic, std::string(change).starts_with("opportunistic"));
      EXPECT_EQ(job.deadline > Duration{}, std::string(change).starts_with("deadlines"));
    }
    EXPECT_EQ(names, "abcd") << change;
  }
}

TEST(DrawnJobs, StayForLongerThanAnyRun) {
  for (const Job& job : drawn("{requested: 2, stay: true}", 1).jobs) {
    EXPECT_GT(job.run_time, std::chrono::hours(24) * 365 * 90);
    EXPECT_EQ(job.work_samples, to_seconds(job.run_time));
  }
}

TEST(DrawnJobs, AreKnownByThoseThatTheyAreDrawnFrom) {
  const auto source = make_workload_source(
      parse_yaml(std::string("{source: jobs, draw: {requested: 9}, ") + kJobs + "}", "w.yaml"),
      "workload");
  EXPECT_EQ(drain(*source->population({test::catalogue(), 1, 8})).jobs.size(), 4U);
}

}  // namespace
}  // namespace mimus::workloads
