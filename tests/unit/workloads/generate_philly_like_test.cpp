// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Compares the statistics of `philly-like` with those of the Philly trace on which it is based.
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/statistics/statistics_collector.hpp"

namespace mimus::workloads {
namespace {

constexpr int kGpus = 2816;

WorkloadStatistics statistics(const std::string& yaml, int gpus = kGpus) {
  const auto source = make_workload_source(parse_yaml(yaml, "w.yaml"), "workload");
  return statistics_of(*source->open({test::catalogue(), 11, gpus}), test::catalogue());
}

const WorkloadStatistics& of_100000() {
  static const WorkloadStatistics s =
      statistics("{source: philly-like, jobs: 100000, mean_interarrival: 60 s}");
  return s;
}

double share(const std::vector<JobClass>& classes, const std::string& name) {
  for (const JobClass& entry : classes) {
    if (entry.name == name) return static_cast<double>(entry.jobs) / 100'000.0;
  }
  return 0.0;
}

double time_share(const WorkloadStatistics& s, const std::string& outcome) {
  for (const JobClass& entry : s.outcomes) {
    if (entry.name == outcome) return entry.gpu_seconds / s.gpu_seconds;
  }
  return 0.0;
}

// With bursts of 2.66 jobs, 100,000 jobs correspond to about 37,600 draws of a gang: standard
// errors of at most 0.2 %.
TEST(PhillyLike, GangsHaveTheSharesOfPhilly) {
  const std::map<int, double> expected{{1, 0.871}, {2, 0.023},  {4, 0.048},
                                       {8, 0.049}, {16, 0.007}, {32, 0.002}};
  ASSERT_EQ(of_100000().gangs.size(), expected.size());
  for (const GangClass& gang : of_100000().gangs) {
    EXPECT_NEAR(static_cast<double>(gang.jobs) / 100'000.0, expected.at(gang.gpus), 0.007)
        << gang.gpus;
  }
}

// The laws of the gangs, weighted by their shares, have a median of 1,316 s (the trace 1,195.5 s)
// and the trace's mean of 29,001 s. Standard errors: median 1.25 · 2.5 / sqrt(100,000) = 1 %, and
// slightly more because of the bursts; mean 2 %, as the standard deviation is near 6 times the
// mean.
TEST(PhillyLike, RunTimesHaveMedianAndMeanOfPhilly) {
  EXPECT_NEAR(of_100000().run_times.quantile(0.5), 1316.0, 0.05 * 1316.0);
  EXPECT_NEAR(of_100000().run_times.mean(), 29'001.0, 0.08 * 29'001.0);
  EXPECT_LE(of_100000().run_times.max(), 60.0 * 86'400.0);
}

TEST(PhillyLike, LargerGangsRunLongerAsInPhilly) {
  const std::map<int, double> medians{{1, 1131.0}, {4, 6373.0}, {8, 8593.0}};
  for (const GangClass& gang : of_100000().gangs) {
    const auto expected = medians.find(gang.gpus);
    if (expected == medians.end()) continue;
    EXPECT_NEAR(gang.run_times.quantile(0.5), expected->second, 0.15 * expected->second);
  }
}

TEST(PhillyLike, OneLawForAllGangsWhenItIsGiven) {
  const auto s = statistics(
      "{source: philly-like, jobs: 20000, mean_interarrival: 60 s, median_run_time: 10 min, "
      "mean_run_time: 20 min}");
  EXPECT_NEAR(s.run_times.quantile(0.5), 600.0, 30.0);
  EXPECT_NEAR(s.run_times.mean(), 1200.0, 60.0);
}

// ATC'19: 69.3 % of the jobs passed, 13.5 % were killed, 17.2 % unsuccessful. Of the GPU time these
// are 44.5 %, 37.7 % and 17.8 %, which depend on few long jobs.
TEST(PhillyLike, OutcomesAreThoseOfPhilly) {
  const WorkloadStatistics& s = of_100000();
  EXPECT_NEAR(share(s.outcomes, "passed"), 0.693, 0.01);
  EXPECT_NEAR(share(s.outcomes, "killed"), 0.135, 0.01);
  EXPECT_NEAR(share(s.outcomes, "failed"), 0.172, 0.01);
  EXPECT_NEAR(time_share(s, "passed"), 0.445, 0.08);
  EXPECT_NEAR(time_share(s, "killed"), 0.377, 0.08);
  EXPECT_NEAR(time_share(s, "failed"), 0.178, 0.06);
}

TEST(PhillyLike, VirtualClustersAreSkewedAsInPhilly) {
  const WorkloadStatistics& s = of_100000();
  EXPECT_NEAR(share(s.virtual_clusters, "vc-0"), 0.468, 0.015);
  EXPECT_NEAR(share(s.virtual_clusters, "vc-1"), 0.174, 0.015);
  EXPECT_NEAR(share(s.virtual_clusters, "vc-4"), 0.050, 0.01);
}

TEST(PhillyLike, UsersStayInOneVirtualCluster) {
  std::map<std::string, std::string> cluster_of;
  const auto workload =
      test::make_workload("{source: philly-like, jobs: 5000, mean_interarrival: 60 s, users: 40}");
  for (const Job& job : workload.jobs) {
    EXPECT_EQ(cluster_of.emplace(job.user, job.virtual_cluster).first->second, job.virtual_cluster);
  }
}

// Shares of 0.468, 0.174 and 0.135 of the jobs are claims to 4.2, 1.6 and 1.2 of seven users.
TEST(PhillyLike, HasAsManyUsersAsItWasAskedFor) {
  std::map<std::string, std::set<std::string>> users;
  const auto workload = test::make_workload(
      "{source: philly-like, jobs: 5000, mean_interarrival: 60 s, users: 7, virtual_clusters: 3}");
  for (const Job& job : workload.jobs) users[job.virtual_cluster].insert(job.user);
  EXPECT_EQ(users["vc-0"].size(), 4U);
  EXPECT_EQ(users["vc-1"].size(), 2U);
  EXPECT_EQ(users["vc-2"].size(), 1U);
}

TEST(PhillyLike, RefusesFewerUsersThanVirtualClusters) {
  EXPECT_THAT(
      test::message_of([] {
        (void)test::make_workload("{source: philly-like, jobs: 9, load: 0.5, users: 14}");
      }),
      testing::HasSubstr("workload.users: 14 are too few for 15 virtual clusters, each of which "
                         "has its own users; raise users or lower virtual_clusters"));
}

// A job joins the previous burst with probability 1 - 1/2.66 = 0.624. At Philly's mean gap it
// follows 7.7 s after the previous job, so all but e^(-60 / 7.7) of these jobs come within 60 s.
// About 0.4 % come within 60 s by chance: 29 % of the pauses, which are 173 s on average, are that
// short, and one in thirty leads to the same user and gang.
TEST(PhillyLike, JobsComeInBursts) {
  const auto workload = test::make_workload(
      "{source: philly-like, jobs: 20000, mean_interarrival: 70 s, arrivals: poisson}");
  int together = 0;
  for (std::size_t i = 1; i < workload.jobs.size(); ++i) {
    const Job& job = workload.jobs[i];
    const Job& before = workload.jobs[i - 1];
    const bool soon = job.arrival - before.arrival <= std::chrono::minutes(1);
    together += soon && job.user == before.user && job.gang == before.gang ? 1 : 0;
  }
  EXPECT_NEAR(together / 20'000.0, 0.624, 0.015);
}

TEST(PhillyLike, BurstsLeaveTheMeanGap) {
  EXPECT_NEAR(of_100000().gaps.mean(), 60.0, 2.0);
  EXPECT_GT(of_100000().gaps.variation(), 1.5);
}

// One law with a small spread: 100,000 jobs meet the load to within 1 %.
TEST(PhillyLike, LoadIsMetOnTheCluster) {
  const auto s = statistics(
      "{source: philly-like, jobs: 100000, load: 0.8, arrivals: poisson, median_run_time: 30 min, "
      "mean_run_time: 40 min}",
      512);
  EXPECT_NEAR(*s.offered_load(512), 0.8, 0.04);
}

TEST(PhillyLike, FailuresStrikeUnsuccessfulJobsOnly) {
  const auto workload = test::make_workload(
      "{source: philly-like, jobs: 5000, mean_interarrival: 60 s, failing_attempts: 2}");
  int failing = 0;
  for (const Job& job : workload.jobs) {
    const auto& failures = job.failures.failures;
    EXPECT_TRUE(failures.empty() || job.recorded == RecordedOutcome::failed);
    EXPECT_LE(failures.size(), 2U);
    for (const auto& failure : failures) {
      EXPECT_GE(failure.at_progress, 0.0);
      EXPECT_LT(failure.at_progress, 1.0);
      EXPECT_EQ(failure.reason, failures.front().reason);
    }
    failing += failures.empty() ? 0 : 1;
  }
  EXPECT_GT(failing, 250);  // of about 860; the others would fail after their end
}

TEST(PhillyLike, FailuresShiftNothingElse) {
  const std::string yaml = "{source: philly-like, jobs: 50, mean_interarrival: 60 s";
  const auto without = test::make_workload(yaml + "}");
  const auto with = test::make_workload(yaml + ", failing_attempts: 3}");
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(with.jobs[i].run_time, without.jobs[i].run_time);
    EXPECT_EQ(with.jobs[i].arrival, without.jobs[i].arrival);
  }
}

constexpr const char* kFailing =
    "{source: philly-like, jobs: 20000, mean_interarrival: 60 s, failing_attempts: 3, ";

TEST(PhillyLike, TimesToFailureCountWorkOrTime) {
  const std::string yaml = kFailing;
  const auto work = test::make_workload(yaml + "failure_clock: work}");
  const auto wall = test::make_workload(yaml + "failure_clock: wall}");
  int failures = 0;
  for (std::size_t i = 0; i < work.jobs.size(); ++i) {
    const auto& shares = work.jobs[i].failures.failures;
    const auto& times = wall.jobs[i].failures.failures;
    ASSERT_EQ(shares.size(), times.size());
    for (std::size_t k = 0; k < shares.size(); ++k, ++failures) {
      const double share = to_seconds(times[k].after) / to_seconds(wall.jobs[i].run_time);
      EXPECT_NEAR(share, shares[k].at_progress, 1e-9);
      EXPECT_EQ(shares[k].after, Duration{});
    }
  }
  EXPECT_GT(failures, 2000);
}

// A lost node strikes at any time, a wrong path at the same step.
TEST(PhillyLike, FailuresOfMachinesAreDrawnForEveryAttempt) {
  const auto workload = test::make_workload(std::string(kFailing) + "failure_clock: by_class}");
  std::map<bool, int> jobs;
  for (const Job& job : workload.jobs) {
    const auto& failures = job.failures.failures;
    if (failures.size() < 2) continue;
    const bool of_machines = failures.front().after > Duration{};
    EXPECT_EQ(of_machines, failures.front().reason == "MPI error" ||
                               failures.front().reason == "checkpoint error" ||
                               failures.front().reason == "MPI runtime failure" ||
                               failures.front().reason == "job preempted" ||
                               failures.front().reason == "CUDA initialisation failed");
    EXPECT_NE(of_machines, failures[0].at_progress == failures[1].at_progress &&
                               failures[0].after == failures[1].after);
    ++jobs[of_machines];
  }
  EXPECT_GT(jobs[true], 20);
  EXPECT_GT(jobs[false], 500);
}

/// Failures of a class, their users, and all failures.
struct OfClass {
  int failures = 0, all = 0;
  std::set<std::string> users;
};
OfClass of_class(const std::string& keys, const std::string& reason) {
  OfClass counts;
  const auto workload = test::make_workload(
      "{source: philly-like, jobs: 100000, mean_interarrival: 60 s, failing_attempts: 3, " + keys);
  for (const Job& job : workload.jobs) {
    for (const auto& failure : job.failures.failures) {
      ++counts.all;
      if (failure.reason != reason) continue;
      ++counts.failures;
      counts.users.insert(job.user);
    }
  }
  return counts;
}

// ATC'19, Table 7: 185.7 failures by CPU out of memory for each user who has any.
TEST(PhillyLike, FewUsersHaveMostFailuresOfAClass) {
  const OfClass even = of_class("users: 304}", "CPU out of memory");
  const OfClass repeated = of_class("failure_repeats: 0.99}", "CPU out of memory");
  const auto share = [](const OfClass& of) { return static_cast<double>(of.failures) / of.all; };
  const auto factor = [](const OfClass& of) {
    return of.failures / static_cast<double>(of.users.size());
  };
  EXPECT_NEAR(share(repeated), share(even), 0.08);
  EXPECT_GT(factor(repeated), 2.0 * factor(even));
}

TEST(PhillyLike, JobsCanHaveModels) {
  const auto workload = test::make_workload(
      "{source: philly-like, jobs: 20, mean_interarrival: 60 s, mix: {resnet18: 1}}");
  for (const Job& job : workload.jobs) {
    EXPECT_EQ(job.model, "resnet18");
    EXPECT_GE(job.total_batch, job.gang);
    EXPECT_GT(job.work_samples, 0.0);
    EXPECT_GT(job.run_time, Duration{});
  }
}

TEST(PhillyLike, RefusesRunTimesThatNoLawHas) {
  EXPECT_THAT(
      test::message_of([] {
        (void)test::make_workload("{source: philly-like, jobs: 2, load: 1, mean_run_time: 1 min}");
      }),
      testing::HasSubstr("workload.mean_run_time: no lognormal run times have median"));
}

}  // namespace
}  // namespace mimus::workloads
