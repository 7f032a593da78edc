// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/application_fairness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/metrics/metric.hpp"
#include "results/totals/cell_totals.hpp"

namespace mimus::results {
namespace {

JobRow job_of(const char* application, std::int64_t id, double arrival, double end, double running,
              const char* outcome = "finished") {
  JobRow row;
  row.job = id;
  row.application = application;
  row.arrival = arrival;
  row.end = end;
  row.outcome = outcome;
  row.jct = end - arrival;
  row.running = row.gpu_seconds = row.replica_seconds = running;
  row.gang = 1;
  row.attempts = 1;
  return row;
}

std::vector<ApplicationRow> judged_applications(const std::vector<JobRow>& jobs, double gpus,
                                                double lost = 0) {
  ApplicationFairness fairness;
  for (const JobRow& row : jobs) fairness.add(row);
  std::vector<ApplicationRow> rows;
  fairness.each(
      gpus, [lost](std::int64_t job) { return job == 0 ? lost : 0.0; },
      [&](const ApplicationRow& row) { rows.push_back(row); });
  return rows;
}

// Two jobs, of which one waits for 10 s: 20 s, in which they ask for (10 + 20) ÷ 20 GPUs and get 20
// GPU seconds. Beside one other job, half of two GPUs are its part, and half of four.
TEST(ApplicationFairness, ComparesItsTimeWithThatOnItsOwnPart) {
  const std::vector<JobRow> jobs{job_of("a", 0, 0, 10, 10), job_of("a", 1, 0, 20, 10),
                                 job_of("", 2, 0, 20, 20)};

  const auto rows = judged_applications(jobs, 2);

  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].application, "a");
  EXPECT_EQ(rows[0].jobs, 2);
  EXPECT_DOUBLE_EQ(rows[0].service, 20);
  EXPECT_DOUBLE_EQ(rows[0].demand, 1.5);
  EXPECT_DOUBLE_EQ(rows[0].mean_active, 2);
  EXPECT_DOUBLE_EQ(rows[0].rho, 1.0);
  EXPECT_DOUBLE_EQ(judged_applications(jobs, 4)[0].rho, 1.5);
  EXPECT_DOUBLE_EQ(judged_applications(jobs, 2, 4)[0].rho, 20.0 / 16.0);
}

// The trials of a search that never waits, one after the other, two at a time.
TEST(ApplicationFairness, IsOneWhereNothingWaits) {
  const auto rows =
      judged_applications({job_of("a", 0, 5, 15, 10), job_of("a", 1, 5, 25, 20),
                           job_of("a", 2, 15, 20, 5, "killed"), job_of("a", 3, 20, 40, 20)},
                          8);

  EXPECT_DOUBLE_EQ(rows.at(0).rho, 1.0);
  EXPECT_DOUBLE_EQ(rows.at(0).mean_active, 1.0);
  EXPECT_EQ(rows.at(0).killed, 1);
  EXPECT_EQ(rows.at(0).finished, 3);
}

// From 0 to 10 and from 20 to 30 it is in the system: (10·2 + 10·1 + 10·2) ÷ 30 with the other job.
TEST(ApplicationFairness, CountsAnApplicationOnlyWhileItHasJobs) {
  const auto rows = judged_applications(
      {job_of("a", 0, 0, 10, 10), job_of("a", 1, 20, 30, 10), job_of("", 2, 0, 30, 30)}, 8);

  EXPECT_NEAR(rows.at(0).mean_active, 50.0 / 30.0, 1e-12);
}

TEST(ApplicationFairness, JudgesNoneThatIsStillRunningOrHasFinishedNothing) {
  EXPECT_TRUE(
      judged_applications({job_of("a", 0, 0, 10, 10), job_of("a", 1, 0, -1, 3)}, 8).empty());
  EXPECT_TRUE(judged_applications({job_of("a", 0, 0, 10, 10, "killed")}, 8).empty());
  EXPECT_TRUE(judged_applications({job_of("", 0, 0, 10, 10)}, 8).empty());
}

TEST(ApplicationFairness, OfOneJobIsThatOfTheJob) {
  for (const char* name : {"", "alone"}) {
    CellTotals totals;
    for (int gpu = 0; gpu < 2; ++gpu) totals.add(GpuRow{});
    const std::vector<JobRow> jobs{job_of("", 0, 0, 30, 20), job_of(name, 1, 10, 25, 10)};
    const auto active = mean_active(jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) totals.add(jobs[i], active[i]);
    totals.close();
    Observed seen;
    seen.totals = {totals.totals(), totals.quantiles()};
    const auto figure = [&](const char* metric) {
      return metrics()[metric_index(metric)].value(seen);
    };

    EXPECT_EQ(figure("application_rho_max").has_value(), *name != '\0');
    if (*name == '\0') continue;
    totals.each_application([&](const ApplicationRow& row) {
      totals.each_fairness([&](const FairnessRow& of_job) {
        if (of_job.job == 1) {
          EXPECT_NEAR(row.rho, of_job.rho, 1e-6);
        }
      });
      EXPECT_DOUBLE_EQ(figure("application_rho_max").value(), row.rho);
      EXPECT_DOUBLE_EQ(figure("application_jct_mean").value(), 15);
    });
  }
}

}  // namespace
}  // namespace mimus::results
