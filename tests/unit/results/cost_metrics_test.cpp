// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "results/metrics/metric.hpp"
#include "results/totals/cell_totals.hpp"

namespace mimus::results {
namespace {

GpuRow priced_gpu(const char* type, double held, double powered, double price) {
  GpuRow row;
  row.type = type;
  row.held = held;
  row.powered = powered;
  row.price = price;
  return row;
}

Observed observed_gpus(const std::vector<GpuRow>& gpus) {
  CellTotals totals;
  for (const GpuRow& row : gpus) totals.add(row);
  for (const double jct : {10.0, 20.0}) {
    JobRow job;
    job.outcome = "finished";
    job.jct = job.end = jct;
    totals.add(job);
  }
  totals.close();
  Observed seen;
  seen.totals.totals = totals.totals();
  return seen;
}

Figure cost_figure(const char* name, const Observed& seen) {
  return metrics()[metric_index(name)].value(seen);
}

// Half an hour of a T4 for 0.5 an hour and one of a V100 for 2; both are powered for two hours.
TEST(CostMetrics, AreHoursTimesPrices) {
  const Observed seen =
      observed_gpus({priced_gpu("T4", 1800, 7200, 0.5), priced_gpu("V100", 3600, 7200, 2)});

  EXPECT_DOUBLE_EQ(cost_figure("cost_held", seen).value(), 2.25);
  EXPECT_DOUBLE_EQ(cost_figure("cost_powered", seen).value(), 5);
  EXPECT_DOUBLE_EQ(cost_figure("cost_per_job", seen).value(), 1.125);
  EXPECT_DOUBLE_EQ(seen.totals.total("type_cost_held", "T4"), 0.25);
  EXPECT_DOUBLE_EQ(seen.totals.total("type_cost_held", "V100"), 2);
}

TEST(CostMetrics, AreUnknownUnlessEachGpuHasAPrice) {
  const Observed seen =
      observed_gpus({priced_gpu("T4", 1800, 7200, 0.5), priced_gpu("V100", 3600, 7200, -1)});

  EXPECT_FALSE(cost_figure("cost_held", seen).has_value());
  EXPECT_FALSE(cost_figure("cost_powered", seen).has_value());
  EXPECT_FALSE(cost_figure("cost_per_job", seen).has_value());
  EXPECT_FALSE(cost_figure("cost_held", observed_gpus({})).has_value());
}

}  // namespace
}  // namespace mimus::results
