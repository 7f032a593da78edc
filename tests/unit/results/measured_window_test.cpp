// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/measured_window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "results/recorder.hpp"
#include "results/summary/summary.hpp"
#include "results/totals/recorded_totals.hpp"
#include "results/totals/windowed_totals.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

JobRow job(std::int64_t id, double arrival, double end, double queueing) {
  JobRow row;
  row.job = id;
  row.outcome = end < 0 ? "unfinished" : "finished";
  row.arrival = arrival;
  row.end = end;
  row.jct = end < 0 ? -1 : end - arrival;
  row.queueing = row.wait_capacity = queueing;
  return row;
}

JobRow with_work(JobRow row, std::int64_t gang, double running, double samples, double progress) {
  row.gang = gang;
  row.running = running;
  row.gpu_seconds = running * static_cast<double>(gang);
  row.samples_processed = samples;
  row.progress_samples = progress;
  return row;
}

/// One step per second, at its modelled speed.
void record_attempt(Recorder& recorder, const AttemptRow& attempt, double busy, double efficiency) {
  recorder.add(attempt);
  StepRow steps;
  steps.attempt = attempt.attempt;
  steps.job = attempt.job;
  steps.begin = attempt.begin;
  steps.end = attempt.end;
  steps.steps = static_cast<std::int64_t>(attempt.end - attempt.begin);
  steps.step_mean = steps.step_modelled = 1.0;
  steps.device_busy = busy;
  steps.samples = 100;
  steps.progress_samples = 100 * efficiency;
  recorder.add(steps);
}

AttemptRow attempt(std::int64_t id, double begin, double end, std::int64_t replicas) {
  AttemptRow row;
  row.attempt = row.job = id;
  row.begin = begin;
  row.end = end;
  row.replicas = replicas;
  return row;
}

PairRow pair(std::int64_t job, double begin, double end, double slowdown) {
  PairRow row;
  row.job = job;
  row.model = "resnet50";
  row.co_models = "vgg16";
  row.begin = begin;
  row.end = end;
  row.slowdown = slowdown;
  return row;
}

/// At the beginnings of attempts; 300 W all the time.
void record_decisions_and_energy(Recorder& recorder) {
  double latency_us = 10;
  for (const double time : {0, 20, 50, 70}) {
    recorder.add(DecisionRow{.time = time, .latency_us = latency_us});
    latency_us *= 2;
  }
  for (int i = 0; i <= 20; ++i) {
    DeviceSampleRow sample;
    sample.gpu = 0;
    sample.time = 5.0 * i;
    sample.energy = 1500.0 * i;
    recorder.add(sample);
  }
  EnergyRow energy;
  energy.gpu = 0;
  energy.joules = 30000;
  recorder.add(energy);
}

// Two GPUs, first come first served:
//   job   arrival  runs      gang  efficiency
//   0     0        0 … 20    1     1
//   1     10       20 … 50   2     0.8
//   2     30       50 … 70   1     1
//   3     60       70 … 100  2     0.5
void record_four_jobs(Recorder& recorder, bool last_ends) {
  JobRow second = with_work(job(1, 10, 50, 10), 2, 30, 300, 240);
  second.preemptions = 1;
  for (const JobRow& row : {with_work(job(0, 0, 20, 0), 1, 20, 400, 400), second,
                            with_work(job(2, 30, 70, 20), 1, 20, 100, 100),
                            with_work(job(3, 60, last_ends ? 100 : -1, 10), 2, 30, 300, 150)}) {
    recorder.arrived(row.arrival);
    recorder.add(row);
  }
  record_attempt(recorder, attempt(0, 0, 20, 1), 0.5, 1.0);
  record_attempt(recorder, attempt(1, 20, 50, 2), 0.8, 0.8);
  record_attempt(recorder, attempt(2, 50, 70, 1), 0.5, 1.0);
  record_attempt(recorder, attempt(3, 70, 100, 2), 0.8, 0.5);
  recorder.add(UtilisationRow{0, 20, 2, 1, 1, 1, 1});
  recorder.add(UtilisationRow{20, 50, 2, 2, 2, 1, 1});
  recorder.add(UtilisationRow{50, 70, 2, 1, 1, 1, 1});
  recorder.add(UtilisationRow{70, 100, 2, 2, 2, 0, 1});
  recorder.add(GpuRow{0, 0, "V100", 100, 0, 58});
  recorder.add(GpuRow{1, 0, "V100", 60, 0, 58});
  record_decisions_and_energy(recorder);
  recorder.add(pair(0, 0, 10, 3.0));
  recorder.add(pair(1, 20, 40, 2.0));
}

class MeasuredCell : public testing::Test {
 protected:
  [[nodiscard]] std::string recorded(RecordLevel level, const std::string& measure = "",
                                     bool last_ends = true) const {
    const std::string path = folder_.file("cell.h5");
    Provenance provenance;
    if (!measure.empty()) provenance.attributes["measure"] = measure;
    Recorder recorder(path, provenance, level);
    record_four_jobs(recorder, last_ends);
    recorder.complete();
    return path;
  }
  [[nodiscard]] static CellSummary of(const std::string& path, const std::string& window) {
    return summarise(path, parse_measured_window(window));
  }

  TemporaryFolder folder_;
};

TEST_F(MeasuredCell, IsOfTheJobsOfAWindow) {
  const CellSummary cell = of(recorded(RecordLevel::full), "jobs=1..3");

  EXPECT_EQ(cell.measured, "jobs=1..3");
  EXPECT_EQ(cell.count("jobs"), 2);
  EXPECT_EQ(cell.count("jobs_finished"), 2);
  EXPECT_EQ(cell.count("preemptions"), 1);
  EXPECT_DOUBLE_EQ(cell.value("jct_mean"), 40);       // 50 − 10 and 70 − 30
  EXPECT_DOUBLE_EQ(cell.value("queueing_mean"), 15);  // (10 + 20) ÷ 2
  EXPECT_DOUBLE_EQ(cell.value("queueing_p50"), 15);
  EXPECT_DOUBLE_EQ(cell.value("queueing_capacity_mean"), 15);
  EXPECT_DOUBLE_EQ(cell.value("makespan"), 60);  // from 10 to 70
  EXPECT_DOUBLE_EQ(cell.value("last_end"), 70);
  EXPECT_DOUBLE_EQ(cell.value("throughput"), 400.0 / 50);
  EXPECT_DOUBLE_EQ(cell.value("goodput"), 340.0 / 50);
  EXPECT_DOUBLE_EQ(cell.value("efficiency"), (60 * 0.8 + 20 * 1.0) / 80);
  EXPECT_DOUBLE_EQ(cell.value("slowdown_mean"), 2);  // job 0's is not measured
}

// Job 1 lives beside job 0 until 20 and beside job 2 from 30 on, so N = (10·2 + 10 + 20·2) ÷ 40 =
// 1.75, and its share is 2 ÷ 1.75 GPUs. Of 60 GPU s, 10 are lost to its co-tenant. Job 2 requests
// one GPU.
TEST_F(MeasuredCell, CountsTheJobsOutsideInItsFairness) {
  const CellSummary cell = of(recorded(RecordLevel::jobs), "jobs=1..3");

  EXPECT_NEAR(cell.value("rho_mean"), (40 * (2 / 1.75) / 50 + 40.0 / 20) / 2, 1e-6);
  EXPECT_NEAR(cell.value("rho_max"), 2, 1e-6);
  EXPECT_EQ(cell.value("rho_unfair"), 0.5);
}

// Decisions at 20, 50 and 70 of 0, 20, 50 and 70 are within the span from 10 to 70. The device
// draws 300 W throughout. Jobs 1 and 2 had 80 of the 160 GPU s of all jobs.
TEST_F(MeasuredCell, HasTheDecisionsAndTheEnergyOfItsSpan) {
  const std::string path = recorded(RecordLevel::full);
  const CellSummary cell = of(path, "jobs=1..3");

  EXPECT_NEAR(cell.value("decision_latency_mean"), 140.0 / 3 * 1e-6, 1e-12);
  EXPECT_NEAR(cell.value("energy"), 300 * 60, 1e-6);
  EXPECT_DOUBLE_EQ(cell.value("energy_per_job"), 30000.0 * 80 / 160 / 2);
  EXPECT_DOUBLE_EQ(of(path, "all").value("energy_per_job"), 30000.0 / 4);
}

// From 10 to 70 two GPUs are 120 GPU s. Held: 10 by job 0, 60 by job 1, 20 by job 2. Busy: half of
// the 20 steps of job 0 are in the window, 0.5 s each; 30 steps of 0.8 s on two GPUs; 20 steps of
// 0.5 s.
TEST_F(MeasuredCell, HasTheGpuTimeFromFirstArrivalToLastEnd) {
  const CellSummary cell = of(recorded(RecordLevel::full), "jobs=1..3");

  EXPECT_DOUBLE_EQ(cell.value("gpu_allocated"), 90.0 / 120);
  EXPECT_DOUBLE_EQ(cell.value("gpu_busy"), (5.0 + 48 + 10) / 120);
  EXPECT_DOUBLE_EQ(cell.value("goodput_normalised"), (30 * 0.8 + 20 * 1.0) / 50);
}

// Only job 2 arrives from 15 to 45. GPU time: 5 s with one GPU held, 25 s with both. The last job
// arrives at 60: until then 20 + 60 + 10 of 120 GPU s are held, and from 60 to 100 no job arrives.
// The last of jobs 1 and 2 arrives at 30: from 10 on, 10 + 20 of 40 GPU s.
TEST_F(MeasuredCell, TellsTheDrainFromTheRest) {
  const std::string path = recorded(RecordLevel::full);

  const CellSummary whole = of(path, "all");
  EXPECT_EQ(whole.value("drain"), 40);
  EXPECT_DOUBLE_EQ(whole.value("gpu_allocated_arriving"), 90.0 / 120);
  EXPECT_DOUBLE_EQ(whole.value("gpu_allocated"), 160.0 / 200);
  const CellSummary middle = of(path, "jobs=1..3");
  EXPECT_EQ(middle.value("drain"), 40);
  EXPECT_DOUBLE_EQ(middle.value("gpu_allocated_arriving"), 30.0 / 40);
}

TEST_F(MeasuredCell, IsOfTheJobsThatArriveInASpan) {
  const CellSummary cell = of(recorded(RecordLevel::full), "from=15s,until=45s");

  EXPECT_EQ(cell.count("jobs"), 1);
  EXPECT_DOUBLE_EQ(cell.value("jct_mean"), 40);
  EXPECT_DOUBLE_EQ(cell.value("makespan"), 40);
  EXPECT_DOUBLE_EQ(cell.value("gpu_allocated"), 55.0 / 60);
  EXPECT_DOUBLE_EQ(cell.value("gpu_busy"), (5 * 0.5 + 25 * 2 * 0.8) / 60);
}

TEST_F(MeasuredCell, IsTheWholeRunWhereNothingLiesOutside) {
  const std::string path = recorded(RecordLevel::full);

  for (const char* window : {"jobs=0..4", "jobs=0..99", "from=0s,until=100s", "until=1d"}) {
    CellSummary cell = of(path, window);
    EXPECT_EQ(cell.measured, parse_measured_window(window).text());
    cell.measured.clear();
    EXPECT_EQ(cell, of(path, "all")) << window;
  }
  EXPECT_NE(of(path, "from=0s,until=99s").value("gpu_allocated"),
            of(path, "all").value("gpu_allocated"));
}

// Job 3 holds its GPUs to the end of the observation, 100: 40 + 20 + 60 of 140 GPU s from 30 on.
TEST_F(MeasuredCell, LastsAsLongAsObservedWhereAJobHasNotEnded) {
  const CellSummary cell = of(recorded(RecordLevel::full, "", false), "jobs=2..4");

  EXPECT_EQ(cell.count("jobs_unfinished"), 1);
  EXPECT_DOUBLE_EQ(cell.value("makespan"), 70);
  EXPECT_DOUBLE_EQ(cell.value("gpu_allocated"), 120.0 / 140);
}

// The parts before and after an instant together are the whole run: 160 GPU s held, 200 up, 116
// busy, and the jobs.
TEST_F(MeasuredCell, SplitsARunWithoutLossAtAnyInstant) {
  const Reader reader(recorded(RecordLevel::full));
  for (const double instant : {0.5, 10.0, 20.0, 33.3, 50.0, 59.9, 60.0}) {
    const auto before = totals_of_window(reader, {.until = instant}).totals.totals();
    const auto after = totals_of_window(reader, {.from = instant}).totals.totals();
    const auto sum = [&](const char* metric) {
      return RecordedTotals{before, {}}.total(metric) + RecordedTotals{after, {}}.total(metric);
    };
    EXPECT_DOUBLE_EQ(sum("gpu_held_seconds"), 160) << instant;
    EXPECT_DOUBLE_EQ(sum("gpu_up_seconds"), 200) << instant;
    EXPECT_NEAR(sum("gpu_busy_seconds"), 116, 1e-9) << instant;
    EXPECT_EQ(sum("jobs"), 4) << instant;
    EXPECT_DOUBLE_EQ(sum("jct"), 20 + 40 + 40 + 40) << instant;
  }
}

TEST_F(MeasuredCell, DoesNotKnowSumsOfStepsThatWereNotRecorded) {
  const CellSummary cell = of(recorded(RecordLevel::jobs), "jobs=1..3");
  const auto json = nlohmann::json::parse(to_json({cell})).at("cells").at(0);

  EXPECT_DOUBLE_EQ(json.at("gpu_allocated_fraction").get<double>(), 0.75);
  EXPECT_TRUE(json.at("gpu_busy_fraction").is_null());
  EXPECT_TRUE(json.at("goodput_normalised").is_null());
  EXPECT_THAT(format_cell(cell), HasSubstr("GPU time busy          -\n"));
}

TEST_F(MeasuredCell, IsWhatItsFileSaysUnlessAskedForSomethingElse) {
  const std::string path = recorded(RecordLevel::full, "jobs=1..3");

  EXPECT_EQ(summarise(path), of(path, "jobs=1..3"));
  EXPECT_EQ(of(path, "all").count("jobs"), 4);
  EXPECT_EQ(of(path, "all").measured, "");
}

TEST_F(MeasuredCell, IsRefusedWhereNoJobIsMeasuredOrNoneIsKept) {
  const std::string path = recorded(RecordLevel::full);
  EXPECT_THAT([&] { (void)of(path, "jobs=4..9"); },
              ThrowsMessage<IoError>(HasSubstr("jobs=4..9 measures none of its 4 jobs, which are "
                                               "jobs=0..4 and arrived from 0 s to 60 s")));
  EXPECT_THROW((void)of(path, "from=61s"), IoError);

  const TemporaryFolder other;
  const std::string summary = other.file("summary.h5");
  Recorder recorder(summary, {}, RecordLevel::summary);
  record_four_jobs(recorder, true);
  recorder.complete();
  EXPECT_THAT([&] { (void)of(summary, "jobs=1..3"); },
              ThrowsMessage<IoError>(HasSubstr("run it with record: jobs")));
}

}  // namespace
}  // namespace mimus::results
