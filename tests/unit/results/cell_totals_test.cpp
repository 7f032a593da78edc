// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/cell_totals.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "results/recorder.hpp"
#include "results/totals/percentile.hpp"
#include "results/totals/recorded_totals.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

JobRow job_of(std::int64_t gang, double arrival, double end) {
  JobRow row;
  row.gang = gang;
  row.arrival = arrival;
  row.end = end;
  row.outcome = "finished";
  row.jct = end - arrival;
  row.queueing = row.wait_order = row.jct / 4;
  row.attempts = 2;
  row.preemptions = 1;
  return row;
}

EnergyRow energy_of(std::int64_t gpu, double joules) {
  EnergyRow row;
  row.gpu = gpu;
  row.joules = joules;
  return row;
}

PairRow pair_of(const std::string& model, const std::string& others, double end, double slowdown) {
  PairRow row;
  row.model = model;
  row.co_models = others;
  row.end = end;
  row.slowdown = slowdown;
  return row;
}

RecordedTotals recorded(const CellTotals& totals) {
  return {totals.totals(), totals.quantiles()};
}

TEST(GangClass, IsThatOfPhilly) {
  EXPECT_EQ(kGangClasses[gang_class(1)], "1");
  EXPECT_EQ(kGangClasses[gang_class(2)], "2-4");
  EXPECT_EQ(kGangClasses[gang_class(4)], "2-4");
  EXPECT_EQ(kGangClasses[gang_class(5)], "5-8");
  EXPECT_EQ(kGangClasses[gang_class(8)], "5-8");
  EXPECT_EQ(kGangClasses[gang_class(9)], ">8");
}

TEST(CellTotals, SumsJobsByGangClass) {
  CellTotals totals;
  totals.add(job_of(1, 0, 8));
  totals.add(job_of(2, 1, 5));
  totals.add(job_of(4, 2, 14));

  const RecordedTotals rows = recorded(totals);

  EXPECT_EQ(rows.total("jobs"), 3);
  EXPECT_EQ(rows.total("jobs", "2-4"), 2);
  EXPECT_EQ(rows.total("jobs", ">8"), 0);
  EXPECT_DOUBLE_EQ(rows.total("jct"), 8 + 4 + 12);
  EXPECT_DOUBLE_EQ(rows.total("jct", "2-4"), 4 + 12);
  EXPECT_DOUBLE_EQ(rows.total("wait_order", "1"), 2);
  EXPECT_EQ(rows.total("preemptions"), 3);
  EXPECT_DOUBLE_EQ(rows.total("first_arrival"), 0);
  EXPECT_DOUBLE_EQ(rows.total("last_end"), 14);
}

TEST(CellTotals, NamesItsMetricsAsTheReferenceDoes) {
  std::set<std::string> explained;
  for (const auto& metric : total_metrics()) explained.insert(metric.name);
  CellTotals totals;  // on two GPU types with prices, as it names those only then
  for (const char* type : {"V100", "T4"}) totals.add(GpuRow{.type = type, .price = 1});
  totals.add(energy_of(-1, 1));
  std::set<std::string> written;
  for (const auto& row : totals.totals()) written.insert(row.metric);
  EXPECT_EQ(written, explained);
}

TEST(CellTotals, SayHowTheGpusOfEachTypeWereUsed) {
  CellTotals totals;
  totals.add(job_of(1, 0, 8));
  totals.add(GpuRow{.type = "V100", .busy = 4, .allocated = 8});
  totals.add(GpuRow{.type = "T4", .busy = 1, .allocated = 2});
  totals.add(GpuRow{.type = "V100", .busy = 2, .allocated = 4});

  const auto types = type_figures(totals.totals());

  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0], (TypeFigures{"V100", 2, 12.0 / 16, 6.0 / 16}));
  EXPECT_EQ(types[1], (TypeFigures{"T4", 1, 2.0 / 8, 1.0 / 8}));
}

// Two V100s with 3 and 4 J, and a T4 without a measured energy.
TEST(CellTotals, SayWhatEachTypeDrewAndHowLongJobsWaitedForIt) {
  CellTotals totals;
  for (const auto& [job, type, waited] :
       {std::tuple(1, "V100", 2.0), std::tuple(2, "T4", 5.0), std::tuple(3, "V100", 4.0)}) {
    JobRow row = job_of(job, 0, 8);
    row.gpu_type = type;
    row.queueing = waited;
    totals.add(row);
  }
  totals.add(GpuRow{.gpu = 0, .type = "V100"});
  totals.add(GpuRow{.gpu = 1, .type = "T4"});
  totals.add(GpuRow{.gpu = 2, .type = "V100"});
  totals.add(energy_of(0, 3));
  totals.add(energy_of(1, -1));
  totals.add(energy_of(2, 4));

  const auto types = type_figures(totals.totals());

  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0], (TypeFigures{"V100", 2, 0, 0, 7, 2, 3}));
  EXPECT_EQ(types[1], (TypeFigures{"T4", 1, 0, 0, -1, 1, 5}));
}

TEST(CellTotals, SayNothingOfTypesWhereThereIsOne) {
  CellTotals totals;
  totals.add(job_of(1, 0, 8));
  totals.add(GpuRow{.type = "V100", .busy = 4, .allocated = 8});

  EXPECT_TRUE(type_figures(totals.totals()).empty());
}

TEST(CellTotals, SumsDecisionsAndTheirWallTime) {
  CellTotals totals;
  for (const double latency_us : {10.0, 30.0}) {
    DecisionRow row;
    row.latency_us = latency_us;
    totals.add(row);
  }

  const RecordedTotals rows = recorded(totals);

  EXPECT_EQ(rows.total("decisions"), 2);
  EXPECT_DOUBLE_EQ(rows.total("decision_seconds"), 40e-6);
  EXPECT_DOUBLE_EQ(rows.quantile("decision_latency", 1.0).value(), 30e-6);
}

TEST(CellTotals, SumsSlowdownsByPairAndLeavesOutThoseWithoutBaseline) {
  CellTotals totals;
  totals.add(pair_of("a", "b", 10, 2.0));
  totals.add(pair_of("b", "a", 4, 1.5));
  totals.add(pair_of("a", "b", 6, 1.0));
  totals.add(pair_of("a", "c", 99, 0.0));

  const RecordedTotals rows = recorded(totals);

  EXPECT_EQ(rows.total("pair_periods"), 3);
  EXPECT_DOUBLE_EQ(rows.total("pair_seconds", "a beside b"), 16);
  EXPECT_DOUBLE_EQ(rows.total("slowdown_seconds", "a beside b"), 26);
  EXPECT_EQ(rows.total("pair_periods", "a beside c"), 0);
}

TEST(CellTotals, CountsPairsAsOneThatAFileCannotTellApart) {
  const std::string many =
      "resnet50+resnet50+resnet50+resnet50+resnet50+resnet50+resnet50+"
      "resnet50+resnet50+resnet50+resnet50+resnet50+resnet50+resnet50+resnet50";
  CellTotals totals;
  totals.add(pair_of("a", many, 10, 2.0));
  totals.add(pair_of("a", many + "+resnet50", 6, 1.0));

  const RecordedTotals rows = recorded(totals);

  const std::string name = "a beside " + many.substr(0, kCoModelsBytes);
  EXPECT_EQ(rows.total("pair_periods", name), 2);
  EXPECT_DOUBLE_EQ(rows.total("slowdown_seconds", name), 26);
  EXPECT_EQ(std::count_if(rows.totals.begin(), rows.totals.end(),
                          [](const TotalRow& row) { return row.metric == "pair_periods"; }),
            2);
}

TEST(CellTotals, KeepsItsRowsInPlaceAsPairsAppear) {
  CellTotals totals;
  totals.add(pair_of("z", "b", 10, 2.0));
  const auto before = totals.totals();
  totals.add(pair_of("a", "b", 10, 2.0));
  const auto after = totals.totals();

  ASSERT_EQ(after.size(), before.size() + 3);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].metric, before[i].metric);
    EXPECT_EQ(after[i].group, before[i].group);
  }
}

TEST(CellTotals, GivesQuantilesToTheLastBitOfPercentile) {
  RandomStream random(11, "jobs");
  CellTotals totals;
  std::vector<double> all;
  for (int i = 0; i < 1000; ++i) {
    const JobRow row = job_of(std::int64_t{1} << random.below(6), 0, random.uniform(1, 1e6));
    totals.add(row);
    all.push_back(row.jct);
  }

  const RecordedTotals rows = recorded(totals);

  for (const double fraction : {0.0, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    EXPECT_EQ(rows.quantile("jct", fraction).value(), percentile(all, fraction)) << fraction;
  }
}

TEST(CellTotals, HasNoQuantilesOfGroupsWithoutJobs) {
  CellTotals totals;
  totals.add(job_of(16, 0, 10));

  std::set<std::string> groups;
  for (const auto& row : totals.quantiles()) groups.insert(row.group);

  EXPECT_THAT(groups, testing::ElementsAre(">8", "all"));
}

TEST(CellTotals, OfAnEmptyCellHaveNoArrival) {
  const RecordedTotals rows = recorded(CellTotals());
  EXPECT_EQ(rows.total("first_arrival"), -1);
  EXPECT_EQ(rows.total("last_end"), -1);
  EXPECT_EQ(rows.total("gpu_up_seconds"), 0);
  EXPECT_FALSE(rows.quantile("jct", 0.5).has_value());
}

// Totals that the recorder collects row by row, with interleaved tables, must equal those of the
// tables.
TEST(CellTotals, OfTheTablesAreThoseInTheFileToTheLastBit) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  RandomStream random(13, "rows");
  Recorder recorder(path, {}, RecordLevel::full);
  ActiveJobs active;
  double at = 0;
  for (int i = 0; i < 500; ++i) {
    const double end = at + random.uniform(0, 10);
    const double arrival = i % 2 == 0 ? at : random.uniform(at, end);
    double before = 0;
    if (i < 400) {
      recorder.arrived(arrival);
      before = active.arrived(arrival);
    }
    recorder.add(UtilisationRow{at, end, 8, random.below(3) * 4, 0, random.below(2), 0});
    if (i < 400)
      recorder.add(job_of(1 + random.below(20), arrival, end), active.left(before, arrival, end));
    recorder.add(pair_of("m" + std::to_string(random.below(4)), "b", random.uniform(0, 9), 1.1));
    DecisionRow decision;
    decision.latency_us = random.uniform(1, 1000);
    recorder.add(decision);
    at = end;
  }
  recorder.add(GpuRow{0, 0, "V100", 32, 22, 30});
  recorder.complete();

  const Reader reader(path);
  const CellTotals totals = totals_of_tables(reader);

  EXPECT_TRUE(reader.rows<TotalRow>() == totals.totals());
  EXPECT_TRUE(reader.rows<QuantileRow>() == totals.quantiles());
}

}  // namespace
}  // namespace mimus::results
