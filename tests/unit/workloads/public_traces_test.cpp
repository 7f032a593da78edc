// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The public traces, compared with totals counted by other programs (see their README).
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

class PublicTraces : public testing::Test {
 protected:
  void SetUp() override {
    const auto folder = test::shared_folder();
    if (!std::filesystem::exists(folder / "data" / "philly")) {
      GTEST_SKIP() << "skipped: no shared data";
    }
    setenv("MIMUS_SHARED", folder.c_str(), 1);
  }

  static Workload read(const std::string& source, const std::string& file,
                       const std::string& options = "") {
    return test::make_workload(
        "{source: " + source + ", path: \"${MIMUS_SHARED}/data/" + file + "\"" + options + "}",
        4096);
  }
  static double gpu_hours(const Workload& workload) {
    double sum = 0.0;
    for (const Job& job : workload.jobs) sum += to_seconds(job.run_time) * job.gang / 3600.0;
    return sum;
  }
};

TEST_F(PublicTraces, PhillyHasItsJobsDurationsAndGangs) {
  const Workload philly = read("philly", "philly/philly_jobs.csv");
  ASSERT_EQ(philly.jobs.size(), 109'570U);
  EXPECT_TRUE(philly.notes.empty());
  std::vector<double> durations;
  std::map<int, int> gangs;
  double sum = 0.0;
  for (const Job& job : philly.jobs) {
    durations.push_back(to_seconds(job.run_time));
    sum += durations.back();
    ++gangs[job.gang];
  }
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  EXPECT_EQ(*middle, 1196.0);
  EXPECT_NEAR(sum / 109'570.0, 29'001.0, 0.5);
  const auto share = [&](int gang) { return 100.0 * gangs[gang] / 109'570.0; };
  EXPECT_NEAR(share(1), 87.1, 0.05);
  EXPECT_NEAR(share(2), 2.3, 0.05);
  EXPECT_NEAR(share(4), 4.8, 0.05);
  EXPECT_NEAR(share(8), 4.9, 0.05);
  EXPECT_NEAR(share(16), 0.7, 0.05);
  EXPECT_NEAR(share(32), 0.2, 0.05);
  EXPECT_EQ(gangs.rbegin()->first, 128);
}

TEST_F(PublicTraces, TheBenchWorkloadsHaveTheirGpuHours) {
  const Workload small = read("philly", "bench/philly1000.csv");
  EXPECT_EQ(small.jobs.size(), 1000U);
  EXPECT_NEAR(gpu_hours(small), 5052.0, 0.5);
  EXPECT_NEAR(to_seconds(small.jobs.back().arrival) / 3600.0, 6.0, 0.05);
  const Workload large = read("philly", "bench/philly10000.csv");
  EXPECT_EQ(large.jobs.size(), 10'000U);
  EXPECT_NEAR(gpu_hours(large), 155'104.0, 0.5);
  EXPECT_NEAR(to_seconds(large.jobs.back().arrival) / 3600.0, 93.3, 0.05);
}

void expect_same_requests(const Workload& a, const Workload& b) {
  ASSERT_EQ(a.jobs.size(), b.jobs.size());
  for (std::size_t i = 0; i < a.jobs.size(); ++i) {
    ASSERT_EQ(a.jobs[i].arrival, b.jobs[i].arrival) << i;
    ASSERT_EQ(a.jobs[i].run_time, b.jobs[i].run_time) << i;
    ASSERT_EQ(a.jobs[i].gang, b.jobs[i].gang) << i;
  }
}

TEST_F(PublicTraces, TheFourFormatsOfOneWorkloadAgreeJobByJob) {
  const Workload csv = read("philly", "bench/philly1000.csv");
  const Workload json = read("philly-json", "bench/philly1000_cluster_job_log.json");
  expect_same_requests(csv, json);
  expect_same_requests(csv, read("pai", "bench/pai_philly1000.csv"));
  expect_same_requests(csv, read("tiresias", "bench/tiresias_philly1000.csv"));
  for (std::size_t i = 0; i < csv.jobs.size(); ++i) {
    ASSERT_EQ(csv.jobs[i].virtual_cluster, json.jobs[i].virtual_cluster);
    ASSERT_EQ("application_" + csv.jobs[i].name, json.jobs[i].name);
  }
}

TEST_F(PublicTraces, PaiStatesAGpuTypeForEveryJob) {
  const Workload pai = read("pai", "bench/pai_philly1000.csv", ", gpu_types: stated");
  for (const Job& job : pai.jobs) ASSERT_EQ(job.gpu_types, std::vector<std::string>{"P100"});
}

TEST_F(PublicTraces, PaiStatesEstimatesForEveryJob) {
  const Workload pai = read("pai", "bench/pai_philly10000.csv", ", estimate: group_gpu_dur");
  for (const Job& job : pai.jobs) ASSERT_GT(job.user_estimate, Duration{});
  EXPECT_NEAR(to_seconds(pai.jobs[0].user_estimate), 3438.2643224022127, 1e-9);
}

TEST_F(PublicTraces, MuriSpansDaysNotYears) {
  const Workload one = read("muri", "muri/trace1.csv");
  EXPECT_EQ(one.jobs.size(), 1494U);
  EXPECT_EQ(read("muri", "muri/trace3.csv").jobs.size(), 992U);
  EXPECT_EQ(one.jobs[0].run_time, std::chrono::seconds(2868294));
  EXPECT_EQ(one.jobs[1].arrival, Instant{std::chrono::seconds(201694)});
}

TEST_F(PublicTraces, TiresiasHasSixtyJobs) {
  const Workload workload = read("tiresias", "tiresias/60_job.csv");
  EXPECT_EQ(workload.jobs.size(), 60U);
  EXPECT_EQ(std::count_if(workload.jobs.begin(), workload.jobs.end(),
                          [](const Job& job) { return job.model == "resnet50"; }),
            6);
}

TEST_F(PublicTraces, OpenbHasWholeAndSharedPods) {
  // 8,152 pods: 1,088 without GPUs, and 897 that were never placed, 36 of which have no GPUs
  // either.
  const Workload pods = read("openb", "openb/openb_pod_list_default.csv");
  EXPECT_EQ(pods.jobs.size(), 6203U);
  // 3,078 of all 7,064 pods with GPUs request a part of one.
  const Workload all =
      read("openb", "openb/openb_pod_list_default.csv", ", never_started: from_submit");
  const auto shared = std::count_if(all.jobs.begin(), all.jobs.end(),
                                    [](const Job& job) { return job.gpu_share < 1.0; });
  EXPECT_EQ(all.jobs.size(), 7064U - 1U);  // one ends as it is created
  EXPECT_NEAR(static_cast<double>(shared), 3078.0, 1.0);
}

TEST_F(PublicTraces, ShockwaveHas120Jobs) {
  const Workload workload = read("shockwave", "shockwave/120.trace");
  EXPECT_EQ(workload.jobs.size(), 120U);
  EXPECT_EQ(workload.jobs[1].run_time, std::chrono::seconds(3338));
}

TEST_F(PublicTraces, AMonthOfPhillyKeepsItsSpan) {
  const Workload month = read("philly", "philly/philly_jobs.csv",
                              ", from: 60 d, until: 90 d, virtual_clusters: [6214e9]");
  ASSERT_GT(month.jobs.size(), 1000U);
  EXPECT_LE(month.jobs.back().arrival, Instant{std::chrono::hours(24 * 30)});
  for (const Job& job : month.jobs) ASSERT_EQ(job.virtual_cluster, "6214e9");
}

}  // namespace
}  // namespace mimus::workloads
