// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "results/metrics/metric.hpp"
#include "results/totals/cell_totals.hpp"

namespace mimus::results {
namespace {

Figure search_figure(const char* name, const Observed& seen) {
  return metrics()[metric_index(name)].value(seen);
}

// Two searches: one finds 0.3 after 50 s, of which it hears again after 90 s; the other one 0.5 at
// 20 s. One of three jobs was killed after a quarter of all GPU time.
TEST(Metrics, OfHyperParameterSearches) {
  CellTotals totals;
  const auto found = [&](const char* search, double since, double loss) {
    TrialRow row;
    row.application = search;
    row.since_arrival = since;
    row.loss = loss;
    totals.add(row);
  };
  found("a", 10, 0.9);
  found("b", 20, 0.5);
  found("a", 50, 0.3);
  found("b", 60, 0.7);
  found("a", 90, 0.3);
  const auto ended = [&](const char* outcome, double gpu_seconds) {
    JobRow job;
    job.end = 50;
    job.outcome = outcome;
    job.gpu_seconds = gpu_seconds;
    totals.add(job);
  };
  ended("killed", 20);
  ended("finished", 20);
  ended("finished", 40);
  totals.close();
  Observed seen;
  seen.totals.totals = totals.totals();

  EXPECT_DOUBLE_EQ(search_figure("best_loss", seen).value(), 0.4);
  EXPECT_DOUBLE_EQ(search_figure("best_loss_time", seen).value(), 35);
  EXPECT_DOUBLE_EQ(search_figure("jobs_killed", seen).value(), 1);
  EXPECT_DOUBLE_EQ(search_figure("killed_gpu_time", seen).value(), 0.25);
  EXPECT_FALSE(search_figure("best_loss", Observed{}).has_value());
  EXPECT_FALSE(search_figure("jobs_killed", Observed{}).has_value());
}

}  // namespace
}  // namespace mimus::results
