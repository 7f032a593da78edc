// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0

// Rows per second that the recorder takes, as the testbed uses it: add and flush_if_due after each
// row, the file completed inside the measured time. Bound in the design: 500 k rows/s.

#include <cstdlib>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "results/reader.hpp"
#include "results/recorder.hpp"

namespace mimus::results {
namespace {

/// A result file in a folder of its own, removed at the end.
class ScratchFile {
 public:
  ScratchFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mimus-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::string path() const { return folder_ / "cell.h5"; }

 private:
  std::filesystem::path folder_;
};

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

template <class Row>
void record(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  for (auto _ : state) {
    const ScratchFile file;
    Recorder recorder(file.path(), {}, RecordLevel::full);
    for (std::int64_t i = 0; i < rows; ++i) {
      recorder.add(row_number(i, Row{}));
      recorder.flush_if_due();
    }
    recorder.complete();
  }
  state.SetItemsProcessed(state.iterations() * rows);
}
BENCHMARK_TEMPLATE(record, StepRow)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_TEMPLATE(record, EventRow)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_TEMPLATE(record, JobRow)->Arg(500'000)->Unit(benchmark::kMillisecond)->UseRealTime();

// What the training loop pays when a flush falls due.
void flush_few_rows(benchmark::State& state) {
  const ScratchFile file;
  Recorder recorder(file.path(), {}, RecordLevel::full);
  std::int64_t i = 0;
  for (auto _ : state) {
    for (int row = 0; row < 10; ++row) recorder.add(row_number(++i, StepRow{}));
    recorder.add(row_number(i, EventRow{}));
    recorder.flush();
  }
}
BENCHMARK(flush_few_rows)->Unit(benchmark::kMicrosecond);

void read_steps(benchmark::State& state) {
  const ScratchFile file;
  Recorder recorder(file.path(), {}, RecordLevel::full);
  const std::int64_t rows = state.range(0);
  for (std::int64_t i = 0; i < rows; ++i) recorder.add(row_number(i, StepRow{}));
  recorder.complete();
  for (auto _ : state) benchmark::DoNotOptimize(Reader(file.path()).rows<StepRow>());
  state.SetItemsProcessed(state.iterations() * rows);
}
BENCHMARK(read_steps)->Arg(200'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mimus::results

BENCHMARK_MAIN();
