// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/metrics/metric.hpp"
#include "results/recorder.hpp"
#include "results/summary/summary.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

using testing::HasSubstr;

Observed seen_totals(const std::vector<std::pair<std::string, double>>& totals) {
  Observed seen;
  for (const auto& [name, value] : totals) seen.totals.totals.push_back({name, kAll, value});
  return seen;
}

Figure figure_named(const std::string& name, const Observed& seen) {
  return metrics()[metric_index(name)].value(seen);
}

TEST(Metrics, AreDeclaredInFull) {
  std::set<std::string> names, keys;
  for (const Metric& metric : metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_TRUE(keys.insert(json_key(metric)).second) << metric.name;
    EXPECT_FALSE(metric.title.empty()) << metric.name;
    EXPECT_FALSE(metric.formula.empty()) << metric.name;
    EXPECT_LE(metric.name.size(), 32U) << "does not fit into the table figures";
  }
}

TEST(Metrics, OfNothingAreNotKnownButForCounts) {
  const auto figures = figures_of(seen_totals({{"jobs", 0}}));
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (metrics()[i].shown == Shown::whole) continue;
    EXPECT_FALSE(figures[i].has_value()) << metrics()[i].name;
  }
}

TEST(Metrics, KnowNoSamplesWhereProgressIsRunTime) {
  Observed seen = seen_totals({{"jobs", 1},
                               {"running", 10},
                               {"samples_processed", 10},
                               {"progress_samples", 10},
                               {"efficient_gpu_seconds", 10},
                               {"sampled_gpu_seconds", 10}});
  for (const char* name : {"throughput", "goodput", "efficiency"}) {
    EXPECT_EQ(figure_named(name, seen), 1.0) << name;
  }
  seen.counts_samples = false;
  for (const char* name : {"throughput", "goodput", "efficiency"}) {
    EXPECT_EQ(figure_named(name, seen), std::nullopt) << name;
  }
}

TEST(Metrics, DoNotKnowWhatAnOlderFileDoesNotCount) {
  EXPECT_EQ(figure_named("restarts_per_hour", seen_totals({{"running", 10}})), std::nullopt);
}

// Three restarts in 1.5 hours.
TEST(Metrics, RelateRestartsToTheHoursThatJobsRan) {
  const Observed seen = seen_totals({{"restarts", 3}, {"running", 5400}});
  EXPECT_DOUBLE_EQ(figure_named("restarts_per_hour", seen).value(), 2);
}

// For 3, 3 and 3 all are equal; for 1, 0, 0 and 0 one job has everything.
TEST(Metrics, GiveJainsIndexOfEqualsAndOfOne) {
  EXPECT_DOUBLE_EQ(
      figure_named("rho_jain", seen_totals({{"rho", 9}, {"rho_squares", 27}, {"rho_jobs", 3}}))
          .value(),
      1);
  EXPECT_DOUBLE_EQ(
      figure_named("rho_jain", seen_totals({{"rho", 1}, {"rho_squares", 1}, {"rho_jobs", 4}}))
          .value(),
      0.25);
}

TEST(Metrics, AddUpTheWaitsOfAllCauses) {
  std::vector<std::pair<std::string, double>> totals{{"jobs", 2}};
  for (const JobMetric& sum : job_metrics()) {
    if (sum.name.starts_with(kWaitPrefix)) totals.emplace_back(sum.name, 20);
  }
  double found = 0;
  for (const Metric& metric : metrics()) {
    if (!metric.cause.empty()) found += metric.value(seen_totals(totals)).value();
  }
  EXPECT_EQ(found, 8 * 10);
}

NodeRow node_row(double on, double booting, double asleep, double used) {
  NodeRow row;
  row.on = on;
  row.booting = booting;
  row.asleep = asleep;
  row.used = used;
  return row;
}

NodeStateRow booting_from(std::int64_t node, double begin) {
  NodeStateRow row;
  row.node = node;
  row.state = "booting";
  row.begin = begin;
  row.end = begin + 100;
  return row;
}

// Tenants with speed-ups 2 and 1 and, by their weights, 0.5 ÷ 1 and 0.5 ÷ 2 of what they could
// have: Jain's index is (0.5 + 0.25)² ÷ (2·(0.25 + 0.0625)) = 0.9.
TEST(Metrics, OfTenantsThatReadThroughACache) {
  CellTotals totals;
  totals.add(TenantRow{.tenant = "a",
                       .weight = 1,
                       .read = 30,
                       .hit = 20,
                       .worth = 5,
                       .worth_alone = 10,
                       .speed = 8,
                       .speed_uncached = 4});
  totals.add(TenantRow{.tenant = "b",
                       .weight = 2,
                       .read = 10,
                       .hit = 0,
                       .worth = 6,
                       .worth_alone = 12,
                       .speed = 3,
                       .speed_uncached = 3});
  totals.add(TenantRow{.tenant = "idle"});
  totals.close();
  Observed seen;
  seen.totals.totals = totals.totals();

  EXPECT_DOUBLE_EQ(figure_named("cache_hit_ratio", seen).value(), 0.5);
  EXPECT_DOUBLE_EQ(figure_named("tenant_speedup", seen).value(), 1.5);
  EXPECT_DOUBLE_EQ(figure_named("tenant_speedup_least", seen).value(), 1.0);
  EXPECT_NEAR(figure_named("cache_fairness", seen).value(), 0.9, 1e-12);
}

// Two nodes over 43,200 s, half a day: one always on, one asleep for half of it and woken once with
// another one, and once more. 43,200 + 21,600 s are active, of which 32,400 s are used.
TEST(Metrics, SayHowManyNodesSleepAndHowOftenTheyWake) {
  CellTotals totals;
  totals.add(node_row(43200, 0, 0, 30000));
  totals.add(node_row(21400, 200, 21600, 2400));
  for (const auto& [node, begin] : {std::pair{1, 1000.0}, {2, 1000.0}, {1, 5000.0}}) {
    totals.add(booting_from(node, begin));
  }
  JobRow job;
  for (const double wait : {0.0, 50.0, 60.0}) {
    job.wait_boot = wait;
    totals.add(job);
  }
  const Observed seen{{totals.totals(), {}}, {}, true, true, true};

  EXPECT_DOUBLE_EQ(figure_named("nodes_asleep", seen).value(), 0.5);
  EXPECT_DOUBLE_EQ(figure_named("node_hours", seen).value(), 18);
  EXPECT_DOUBLE_EQ(figure_named("nodes_used", seen).value(), 0.5);
  EXPECT_DOUBLE_EQ(figure_named("wake_ups_per_day", seen).value(), 4);
  EXPECT_DOUBLE_EQ(figure_named("jobs_boot_delayed", seen).value(), 2);
}

TEST(Metrics, AreSilentOfNodesThatNeverSleep) {
  CellTotals totals;
  totals.add(node_row(100, 0, 0, 50));
  const Observed seen{{totals.totals(), {}}, {}, true, true, true};
  for (const char* name :
       {"nodes_asleep", "node_hours", "nodes_used", "wake_ups_per_day", "jobs_boot_delayed"}) {
    EXPECT_EQ(figure_named(name, seen), std::nullopt) << name;
  }
}

// Of 60 s that two jobs ran, 50 s went into progress at the modelled speed, of which one lost 20 s.
TEST(Metrics, CountNoProgressThatWasLost) {
  CellTotals totals;
  JobRow job;
  job.running = 30;
  job.samples_processed = job.progress_samples = 300;
  totals.add(job);
  job.lost_samples = 240;
  job.lost_seconds = 20;
  totals.add(job);
  const StepFigures steps{.useful_seconds = 50};
  const Observed seen{{totals.totals(), {}}, steps, true, true, true};

  EXPECT_DOUBLE_EQ(figure_named("throughput", seen).value(), 10);
  EXPECT_DOUBLE_EQ(figure_named("goodput", seen).value(), 6);
  EXPECT_DOUBLE_EQ(figure_named("goodput_normalised", seen).value(), 0.5);
  EXPECT_DOUBLE_EQ(figure_named("lost_share", seen).value(), 1.0 / 3.0);
}

// 40 J of a GPU are measured, 100 J of another one and 60 J of a server are modelled; a server of
// which nothing is known counts as nothing.
TEST(Metrics, SayHowMuchOfTheEnergyIsModelled) {
  CellTotals totals;
  EnergyRow gpu;
  gpu.joules = 40;
  gpu.source = "counter";
  totals.add(gpu);
  gpu.joules = 100;
  gpu.source = "modelled_held";
  totals.add(gpu);
  NodeRow server;
  totals.add(server);
  server.joules = 60;
  totals.add(server);
  const Observed seen{{totals.totals(), {}}, {}, true, true, true};

  EXPECT_DOUBLE_EQ(figure_named("energy", seen).value(), 200);
  EXPECT_DOUBLE_EQ(figure_named("energy_modelled", seen).value(), 0.8);
}

// One device drew 40 J and another one does not say. 20 J of 60 belong to one finished job of
// three.
TEST(Metrics, KnowEnergyOnlyOfEveryDevice) {
  CellTotals totals;
  EnergyRow row;
  row.joules = 40;
  totals.add(row);
  EXPECT_EQ(figure_named("energy", {{totals.totals(), {}}, {}, true, false, true}), 40.0);
  row.joules = -1;
  totals.add(row);
  EXPECT_EQ(figure_named("energy", {{totals.totals(), {}}, {}, true, false, true}), std::nullopt);
  EXPECT_EQ(figure_named("energy_per_job", seen_totals({{"energy_of_jobs", 60}, {"finished", 3}})),
            20.0);
}

TEST(Metrics, AreWhatThePythonPackageShips) {
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: MIMUS_SOURCE_DIR is not set";
  std::ifstream file(std::string(source) + "/results/analysis/mimus_results/metrics.json");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), metrics_json() + "\n")
      << "regenerate it: mimus schema metrics --out results/analysis/mimus_results";
}

// The table `figures` holds what the summary computes from the file, at every record level.
TEST(Figures, InAFileAreThoseOfItsSummary) {
  const TemporaryFolder folder;
  for (const RecordLevel level : {RecordLevel::full, RecordLevel::jobs, RecordLevel::summary}) {
    const std::string path = folder.file(std::string(name(level)) + ".h5");
    Recorder recorder(path, {{{"engine", "live"}}, "", ""}, level);
    JobRow job;
    recorder.arrived(0);
    job.job = 0;
    job.outcome = "finished";
    job.gang = 2;
    job.end = job.jct = 50;
    job.running = 40;
    job.gpu_seconds = job.replica_seconds = 80;
    job.attempts = 3;
    recorder.add(job);
    recorder.add(UtilisationRow{0, 50, 2, 2, 1, 0, 1});
    recorder.add(GpuRow{0, 0, "T4", 50, 0, 10});
    recorder.add(GpuRow{1, 0, "T4", 50, 0, 10});
    recorder.complete();

    const CellSummary summary = summarise(path);
    const auto rows = Reader(path).rows<FigureRow>();
    const auto expected = figure_rows(summary.figures);
    ASSERT_EQ(rows.size(), expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].metric, expected[i].metric);
      EXPECT_EQ(rows[i].unit, expected[i].unit);
      EXPECT_TRUE(rows[i].value == expected[i].value || !summary.figures[i]) << rows[i].metric;
    }
    EXPECT_DOUBLE_EQ(summary.value("rho_mean"), 50.0 / 40);
    EXPECT_DOUBLE_EQ(summary.value("restarts_per_hour"), 2 * 3600.0 / 40);
    EXPECT_THAT(format_cell(summary), HasSubstr("  ρ mean                 1.25\n"));
    EXPECT_EQ(Reader(path).recorded("fairness"), level != RecordLevel::summary);
  }
}

}  // namespace
}  // namespace mimus::results
