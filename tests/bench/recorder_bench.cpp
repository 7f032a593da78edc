// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0

// Rows per second that the recorder takes, as the testbed uses it: add and flush_if_due after each
// row, the file completed inside the measured time. Bound in the design: 500 k rows/s; of a job at
// level summary, whose row only feeds sums and quantiles: 150 ns.

#include <string>

#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "results/file/reader.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

StepRow row_number(std::int64_t i, StepRow /*kind*/) {
  StepRow row;
  row.attempt = i;
  row.begin = static_cast<double>(i) * 0.1;
  row.step_mean = 0.1 + static_cast<double>(i % 97) * 1e-4;
  return row;
}

EventRow row_number(std::int64_t i, EventRow /*kind*/) {
  return {static_cast<double>(i), "attempt_ended", i, i, "preempted by job 17"};
}

JobRow row_number(std::int64_t i, JobRow /*kind*/) {
  JobRow row;
  row.job = i;
  row.name = "train-resnet50";
  row.user = "u17";
  row.model = "resnet50";
  row.outcome = "finished";
  row.jct = static_cast<double>(i);
  return row;
}

DecisionRow row_number(std::int64_t i, DecisionRow /*kind*/) {
  DecisionRow row;
  row.latency_us = static_cast<double>(i);
  return row;
}

UtilisationRow row_number(std::int64_t i, UtilisationRow /*kind*/) {
  return {static_cast<double>(i), static_cast<double>(i + 1), 8, 4, 4, 1, 2};
}

PairRow row_number(std::int64_t i, PairRow /*kind*/) {
  PairRow row;
  row.model = "resnet50";
  row.co_models = "bert-base";
  row.end = static_cast<double>(i);
  row.slowdown = 1.5;
  return row;
}

template <class Row, RecordLevel Level>
void record(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  for (auto _ : state) {
    const TemporaryFolder folder;
    Recorder recorder(folder.file("cell.h5"), {}, Level);
    for (std::int64_t i = 0; i < rows; ++i) {
      recorder.add(row_number(i, Row{}));
      recorder.flush_if_due();
    }
    recorder.complete();
  }
  state.SetItemsProcessed(state.iterations() * rows);
}
BENCHMARK_TEMPLATE(record, StepRow, RecordLevel::full)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_TEMPLATE(record, EventRow, RecordLevel::full)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_TEMPLATE(record, JobRow, RecordLevel::jobs)
    ->Arg(500'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// A row per decision or job, for a recorder that does not keep this table.
template <class Row>
void add_at_level_summary(benchmark::State& state) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::summary);
  Row row = row_number(17, Row{});
  for (auto _ : state) recorder.add(row);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_TEMPLATE(add_at_level_summary, JobRow)->Iterations(5'000'000);
BENCHMARK_TEMPLATE(add_at_level_summary, DecisionRow)->Iterations(5'000'000);
BENCHMARK_TEMPLATE(add_at_level_summary, UtilisationRow)->Iterations(5'000'000);
BENCHMARK_TEMPLATE(add_at_level_summary, PairRow)->Iterations(5'000'000);

// The quantiles of a cell that stops.
void complete_summary(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  for (auto _ : state) {
    state.PauseTiming();
    const TemporaryFolder folder;
    Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::summary);
    RandomStream random(1, "jobs");
    JobRow row = row_number(0, JobRow{});
    for (std::int64_t i = 0; i < rows; ++i) {
      row.gang = std::int64_t{1} << random.below(6);
      row.jct = random.uniform(0, 1e6);
      row.queueing = random.uniform(0, 1e6);
      recorder.add(row);
    }
    state.ResumeTiming();
    recorder.complete();
  }
}
BENCHMARK(complete_summary)->Arg(10'000'000)->Unit(benchmark::kMillisecond)->Iterations(1);

// The cost for the training loop when a flush is due.
void flush_few_rows(benchmark::State& state) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full);
  std::int64_t i = 0;
  for (auto _ : state) {
    for (int row = 0; row < 10; ++row) recorder.add(row_number(++i, StepRow{}));
    recorder.add(row_number(i, EventRow{}));
    recorder.flush();
  }
}
BENCHMARK(flush_few_rows)->Unit(benchmark::kMicrosecond);

void read_steps(benchmark::State& state) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full);
  const std::int64_t rows = state.range(0);
  for (std::int64_t i = 0; i < rows; ++i) recorder.add(row_number(i, StepRow{}));
  recorder.complete();
  for (auto _ : state) benchmark::DoNotOptimize(Reader(folder.file("cell.h5")).rows<StepRow>());
  state.SetItemsProcessed(state.iterations() * rows);
}
BENCHMARK(read_steps)->Arg(200'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mimus::results

BENCHMARK_MAIN();
