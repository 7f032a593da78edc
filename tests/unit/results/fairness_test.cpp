// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/fairness.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/totals/cell_totals.hpp"
#include "results/totals/recorded_totals.hpp"

namespace mimus::results {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

JobRow fair_job(std::int64_t id, double arrival, double end, double running, std::int64_t gang) {
  JobRow row;
  row.job = id;
  row.arrival = arrival;
  row.end = end;
  row.outcome = end < 0 ? "unfinished" : "finished";
  row.jct = end < 0 ? -1 : end - arrival;
  row.running = running;
  row.gang = gang;
  row.gpu_seconds = row.replica_seconds = running * static_cast<double>(gang);
  return row;
}

PairRow beside(std::int64_t job, double begin, double end, double slowdown) {
  PairRow row;
  row.job = job;
  row.shape = "1+1";
  row.begin = begin;
  row.end = end;
  row.slowdown = slowdown;
  return row;
}

std::vector<FairnessRow> judged(const std::vector<JobRow>& jobs, double gpus,
                                const std::vector<PairRow>& pairs = {}) {
  Fairness fairness;
  const auto active = mean_active(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) fairness.add(jobs[i], active[i]);
  for (const PairRow& pair : pairs) fairness.add(pair);
  std::vector<FairnessRow> rows;
  fairness.each(gpus, [&](const FairnessRow& row) { rows.push_back(row); });
  return rows;
}

// Job 0 lives 0..10, alone until 4 and from 8: (4·1 + 4·2 + 2·1) ÷ 10. For job 1 it is always two.
TEST(ActiveJobs, AreAveragedOverAJobsLife) {
  const auto means = mean_active({fair_job(0, 0, 10, 1, 1), fair_job(1, 4, 8, 1, 1)});
  EXPECT_THAT(means, ElementsAre(DoubleNear(1.4, 1e-12), DoubleNear(2.0, 1e-12)));
}

TEST(ActiveJobs, CountJobsThatHaveNotLeft) {
  EXPECT_DOUBLE_EQ(mean_active({fair_job(0, 0, 10, 1, 1), fair_job(1, 0, -1, 0, 1)})[0], 2);
}

// Four GPUs, and two jobs of four GPUs from 0 on. One runs 0..10, the other waits and runs 10..20.
// The first shares with one other job: 2 GPUs, on which 40 GPU s take 20 s, so ρ = 10 ÷ 20. For the
// second N = 1.5: 40 ÷ (4 ÷ 1.5) = 15 s, ρ = 20 ÷ 15.
TEST(Fairness, ComparesWithAnEqualShareOfTheCluster) {
  const auto rows = judged({fair_job(0, 0, 10, 10, 4), fair_job(1, 0, 20, 10, 4)}, 4);
  EXPECT_NEAR(rows[0].rho, 0.5, 1e-6);
  EXPECT_NEAR(rows[1].rho, 20.0 / 15, 1e-6);
  EXPECT_NEAR(rows[1].slowdown, 2, 1e-6);
  EXPECT_NEAR(rows[1].bounded_slowdown, 2, 1e-6);
}

TEST(Fairness, LimitsTheShareByTheDemand) {
  EXPECT_NEAR(judged({fair_job(0, 0, 30, 20, 1)}, 8)[0].rho, 30.0 / 20, 1e-6);
}

// A quarter of a GPU for 20 s is 5 GPU s, whether the job held the whole GPU or a part of it.
TEST(Fairness, CountsAShareOfAGpuOnce) {
  JobRow job = fair_job(0, 0, 30, 20, 1);
  job.gpu_share = 0.25;
  for (const double held : {1.0, 0.25}) {
    job.gpu_seconds = 20 * held;
    const FairnessRow row = judged({job}, 8)[0];
    EXPECT_NEAR(row.service, 5, 1e-6);
    EXPECT_NEAR(row.rho, 30.0 / 20, 1e-6);
  }
}

// 12 of 20 s beside a co-tenant at half the speed: 6 s are lost on two GPUs. A pair without a
// baseline does not count.
TEST(Fairness, TakesNoServiceForTimeThatIsLostToCoTenants) {
  const FairnessRow row =
      judged({fair_job(0, 0, 20, 20, 2)}, 2, {beside(0, 0, 12, 2.0), beside(0, 12, 20, 0)})[0];
  EXPECT_NEAR(row.solo, 14, 1e-6);
  EXPECT_NEAR(row.service, 28, 1e-6);
  EXPECT_NEAR(row.rho, 20.0 / 14, 1e-6);
}

TEST(Fairness, BoundsTheSlowdownOfShortJobs) {
  const FairnessRow row = judged({fair_job(0, 0, 5, 0.5, 1)}, 1)[0];
  EXPECT_NEAR(row.slowdown, 10, 1e-6);
  EXPECT_EQ(row.bounded_slowdown, 1);
}

TEST(Fairness, JudgesFinishedJobsOnlyAndNeedsTheNumberOfGpus) {
  const auto rows = judged({fair_job(0, 0, 10, 10, 1), fair_job(1, 0, -1, 0, 1)}, 0);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NEAR(rows[0].mean_active, 2, 1e-6);
  EXPECT_TRUE(std::isnan(rows[0].rho));
}

// One job with one GPU has its share all the time. Another one waits as long as it runs.
TEST(Fairness, CountsUnfairJobsButNotARoundedRhoOfOne) {
  CellTotals totals;
  totals.add(fair_job(0, 0.1, 0.1 + 1.0 / 3, 1.0 / 3, 1));
  totals.add(fair_job(1, 0, 20, 10, 1));
  totals.add(GpuRow{});
  totals.close();
  const RecordedTotals rows{totals.totals(), totals.quantiles()};
  EXPECT_EQ(rows.total("rho_jobs"), 2);
  EXPECT_EQ(rows.total("rho_unfair"), 1);
  EXPECT_NEAR(rows.total("rho"), 1 + 2, 1e-6);
  EXPECT_NEAR(rows.total("rho_squares"), 1 + 4, 1e-6);
  EXPECT_NEAR(rows.quantile("rho", 1.0).value(), 2, 1e-6);
}

}  // namespace
}  // namespace mimus::results
