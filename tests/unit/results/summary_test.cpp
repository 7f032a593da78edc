// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/summary/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

JobRow job(std::int64_t id, const std::string& outcome, double arrival, double end) {
  JobRow row;
  row.job = id;
  row.outcome = outcome;
  row.arrival = arrival;
  row.end = end;
  row.jct = outcome == "finished" ? end - arrival : -1;
  return row;
}

PairRow pair(const std::string& model, const std::string& others, double begin, double end,
             double slowdown) {
  PairRow row;
  row.model = model;
  row.co_models = others;
  row.begin = begin;
  row.end = end;
  row.slowdown = slowdown;
  return row;
}

StepRow window(std::int64_t steps, double mean, double modelled, double late,
               std::int64_t co_tenants) {
  StepRow row;
  row.steps = steps;
  row.step_mean = mean;
  row.step_modelled = modelled;
  row.late = late;
  row.co_tenants = co_tenants;
  row.samples = 100;
  row.progress_samples = 80;
  return row;
}

// Two GPUs and three jobs. All expected values below are computed from these rows by hand.
void record_tiny_cell(Recorder& recorder) {
  JobRow a = job(0, "finished", 10, 30);  // JCT 20
  a.queueing = a.wait_capacity = 4;
  a.gang = 2;
  a.preemptions = 2;
  a.running = 16;
  a.gpu_seconds = 32;
  a.samples_processed = 800;
  a.progress_samples = 600;
  JobRow b = job(1, "finished", 12, 52);  // JCT 40
  b.queueing = 5;
  b.wait_capacity = 3;
  b.wait_order = 2;
  b.gang = 16;
  b.preemptions = 1;
  b.running = 34;
  b.gpu_seconds = 34;
  b.samples_processed = 200;
  b.progress_samples = 200;
  JobRow c = job(2, "failed", 20, 50);
  c.queueing = c.wait_backoff = 3;
  c.gang = 1;
  recorder.add(a);
  recorder.add(b);
  recorder.add(c);
  recorder.add(QueueDelayRow{0, "capacity", 10, 14});
  recorder.add(QueueDelayRow{1, "capacity", 12, 15});
  recorder.add(QueueDelayRow{1, "order", 15, 17});
  recorder.add(QueueDelayRow{2, "backoff", 20, 23});
  recorder.add(UtilisationRow{0, 20, 2, 0, 0, 0, 0});  // half of it before the first arrival
  recorder.add(UtilisationRow{20, 42, 2, 1, 2, 1, 1});
  recorder.add(UtilisationRow{42, 62, 2, 2, 2, 0, 1});  // half of it after the last end
  recorder.add(GpuRow{0, 0, "V100", 32, 22, 30});
  recorder.add(GpuRow{1, 0, "V100", 10, 0, 12});
  recorder.add(pair("resnet50", "bert-base", 20, 30, 2.0));
  recorder.add(pair("resnet50", "bert-base", 30, 32, 2.6));
  recorder.add(pair("bert-base", "resnet50", 20, 32, 1.5));
  recorder.add(pair("bert-base", "vgg16", 32, 36, 0));  // no baseline, so it does not count
  recorder.add(window(10, 1.1, 1.0, 0.5, 0));
  recorder.add(window(20, 0.6, 0.5, 0.0, 0));
  recorder.add(window(5, 3.0, 1.0, 0.0, 1));
}

class SummaryTest : public testing::TestWithParam<RecordLevel> {
 protected:
  [[nodiscard]] CellSummary summary_of_tiny_cell() const {
    const std::string path = folder_.file("cell.h5");
    Recorder recorder(
        path, {{{"cell", "000-pack"}, {"label", "pack"}, {"repetition", "2"}}, "", ""}, GetParam());
    record_tiny_cell(recorder);
    recorder.complete();
    return summarise(path);
  }

  TemporaryFolder folder_;
};

TEST_P(SummaryTest, SaysWhichCellItIs) {
  const CellSummary cell = summary_of_tiny_cell();
  EXPECT_EQ(cell.cell, "000-pack");
  EXPECT_EQ(cell.label, "pack");
  EXPECT_EQ(cell.repetition, 2);
  EXPECT_EQ(cell.status, "complete");
}

TEST_P(SummaryTest, CountsJobsByOutcome) {
  const CellSummary cell = summary_of_tiny_cell();
  EXPECT_EQ(cell.count("jobs"), 3);
  EXPECT_EQ(cell.count("jobs_finished"), 2);
  EXPECT_EQ(cell.count("jobs_failed"), 1);
  EXPECT_EQ(cell.count("jobs_rejected"), 0);
  EXPECT_EQ(cell.count("jobs_unfinished"), 0);
  EXPECT_EQ(cell.count("preemptions"), 3);
}

TEST_P(SummaryTest, TakesCompletionTimesOfFinishedJobsOnly) {
  const CellSummary cell = summary_of_tiny_cell();
  EXPECT_DOUBLE_EQ(cell.value("jct_mean"), 30);  // (20 + 40) / 2
  EXPECT_DOUBLE_EQ(cell.value("jct_p50"), 30);   // midway
  EXPECT_NEAR(cell.value("jct_p90"), 20 + 0.90 * 20,
              1e-9);  // position 0.9 of the way from 20 to 40
  EXPECT_NEAR(cell.value("jct_p99"), 20 + 0.99 * 20, 1e-9);
}

TEST_P(SummaryTest, ChargesQueueingToItsCauses) {
  const CellSummary cell = summary_of_tiny_cell();
  EXPECT_DOUBLE_EQ(cell.value("queueing_mean"), (4.0 + 5 + 3) / 3);
  EXPECT_DOUBLE_EQ(cell.value("queueing_p50"), 4);
  EXPECT_NEAR(cell.value("queueing_p90"), 4.8, 1e-12);  // of 3, 4, 5: position 1.8
  EXPECT_NEAR(cell.value("queueing_p99"), 4.98, 1e-12);
  EXPECT_DOUBLE_EQ(cell.value("queueing_capacity_mean"), (4.0 + 3) / 3);
  EXPECT_DOUBLE_EQ(cell.value("queueing_order_mean"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(cell.value("queueing_backoff_mean"), 1.0);
  EXPECT_EQ(cell.value("queueing_quota_mean"), 0);
}

TEST_P(SummaryTest, MeasuresUseBetweenFirstArrivalAndLastEnd) {
  const CellSummary cell = summary_of_tiny_cell();
  EXPECT_DOUBLE_EQ(cell.value("makespan"), 42);  // 10 .. 52
  // Held: 0·10 + 1·22 + 2·10 = 42 GPU s of 2·42.
  EXPECT_DOUBLE_EQ(cell.value("gpu_allocated"), 0.5);
  EXPECT_DOUBLE_EQ(cell.value("gpu_busy"), (30.0 + 12) / (2 * 42));
}

TEST_P(SummaryTest, RelatesSamplesToRunningTime) {
  const CellSummary cell = summary_of_tiny_cell();
  EXPECT_DOUBLE_EQ(cell.value("throughput"), 1000.0 / 50);
  EXPECT_DOUBLE_EQ(cell.value("goodput"), 800.0 / 50);
  // Efficiencies 0.75 and 1, weighted by 32 and 34 GPU s; the failed job processed nothing.
  EXPECT_DOUBLE_EQ(cell.value("efficiency"), (0.75 * 32 + 1.0 * 34) / 66);
  // Useful: 0.8·(10·1.0 + 20·0.5 + 5·1.0) = 20 s of 50 s.
  EXPECT_DOUBLE_EQ(cell.value("goodput_normalised"), 0.4);
}

TEST_P(SummaryTest, WeighsSlowdownsByTimeAndNamesTheWorstPair) {
  const CellSummary cell = summary_of_tiny_cell();
  // 2.0 for 10 s, 2.6 for 2 s, 1.5 for 12 s.
  EXPECT_DOUBLE_EQ(cell.value("slowdown_mean"), (20 + 5.2 + 18) / 24);
  EXPECT_DOUBLE_EQ(cell.value("slowdown_worst"), (20 + 5.2) / 12);
  EXPECT_EQ(cell.slowdown_worst_pair, "resnet50 beside bert-base");
}

TEST_P(SummaryTest, JudgesThePace) {
  const CellSummary cell = summary_of_tiny_cell();
  // Errors without co-tenants: 0.1 and 0.2; the median of two is midway.
  EXPECT_NEAR(cell.value("off_solo_median"), 0.15, 1e-12);
  // Late 5 s of 11 + 12 + 15 s.
  EXPECT_DOUBLE_EQ(cell.value("late_share"), 5.0 / 38);
}

TEST_P(SummaryTest, IsTheSameAtEveryLevelToTheLastBit) {
  CellSummary cell = summary_of_tiny_cell();
  const std::string full = folder_.file("full.h5");
  Recorder recorder(full, {{{"cell", "000-pack"}, {"label", "pack"}, {"repetition", "2"}}, "", ""},
                    RecordLevel::full);
  record_tiny_cell(recorder);
  recorder.complete();

  cell.path = full;
  EXPECT_EQ(cell, summarise(full));
}

INSTANTIATE_TEST_SUITE_P(EveryLevel, SummaryTest,
                         testing::Values(RecordLevel::full, RecordLevel::jobs,
                                         RecordLevel::summary),
                         [](const auto& level) { return std::string(name(level.param)); });

TEST(Summary, TakesSharesOfTheTimeOfGpusThatAreUp) {
  const TemporaryFolder folder;
  {
    Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full);
    recorder.add(job(0, "finished", 0, 10));
    recorder.add(UtilisationRow{0, 10, 1, 1, 1, 0, 1});  // the other one is down
    recorder.add(GpuRow{0, 0, "V100", 10, 0, 8});
    recorder.add(GpuRow{1, 1, "V100", 0, 0, 0});
    recorder.complete();
  }

  const CellSummary cell = summarise(folder.file("cell.h5"));

  EXPECT_DOUBLE_EQ(cell.value("gpu_allocated"), 1.0);
  EXPECT_DOUBLE_EQ(cell.value("gpu_busy"), 0.8);
}

TEST(Summary, OfACellThatWasCutOffLastsAsLongAsItWasObserved) {
  const TemporaryFolder folder;
  {
    Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full);
    recorder.add(job(0, "finished", 5, 15));
    recorder.add(job(1, "unfinished", 6, -1));
    recorder.add(UtilisationRow{0, 25, 1, 1, 1, 0, 1});
  }

  const CellSummary cell = summarise(folder.file("cell.h5.part"));

  EXPECT_EQ(cell.count("jobs_unfinished"), 1);
  EXPECT_DOUBLE_EQ(cell.value("makespan"), 20);
  EXPECT_EQ(cell.status, "interrupted");
}

TEST(Summary, OfAnEmptyCellIsZero) {
  const TemporaryFolder folder;
  Recorder(folder.file("cell.h5"), {}, RecordLevel::full).complete();

  const CellSummary cell = summarise(folder.file("cell.h5"));

  EXPECT_EQ(cell.count("jobs"), 0);
  EXPECT_EQ(cell.value("makespan"), 0);
  EXPECT_EQ(cell.value("gpu_busy"), 0);
  EXPECT_FALSE(cell.figure("queueing_capacity_mean").has_value());
}

TEST(Summary, OfAKilledCellWithoutJobsKnowsMeansButNoPercentiles) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::summary);
  recorder.add(job(0, "finished", 5, 15));
  recorder.flush();

  const CellSummary cell = summarise(folder.file("cell.h5.part"));

  EXPECT_EQ(cell.count("jobs"), 1);
  EXPECT_DOUBLE_EQ(cell.value("jct_mean"), 10);
  EXPECT_FALSE(cell.figure("jct_p50").has_value());
  EXPECT_TRUE(nlohmann::json::parse(to_json({cell})).at("cells").at(0).at("jct_p50_s").is_null());
}

TEST(Summary, OfAGrowingCellTakesPercentilesFromItsJobs) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::jobs);
  recorder.add(job(0, "finished", 5, 15));
  recorder.flush();

  const CellSummary cell = summarise(folder.file("cell.h5.part"));

  EXPECT_DOUBLE_EQ(cell.value("jct_p50"), 10);
}

TEST(Summary, OfAVirtualCellKnowsNoPace) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {{{"engine", "virtual"}}, "", ""}, RecordLevel::jobs);
  recorder.add(job(0, "finished", 5, 15));
  recorder.add(window(10, 1.1, 1.0, 0, 0));
  recorder.complete();

  const CellSummary cell = summarise(folder.file("cell.h5"));

  EXPECT_EQ(cell.value("off_solo_median"), 0);
  EXPECT_THAT(format_cell(cell), testing::HasSubstr("off solo, median       -\n"));
  const auto json = nlohmann::json::parse(to_json({cell})).at("cells").at(0);
  EXPECT_TRUE(json.at("late_share_fraction").is_null());
}

TEST(Summary, OfARunningCellSaysRunning) {
  const TemporaryFolder folder;
  const Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full);

  EXPECT_EQ(summarise(folder.file("cell.h5.part")).status, "running");
}

}  // namespace
}  // namespace mimus::results
