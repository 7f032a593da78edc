// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "results/file/reader.hpp"
#include "results/recorder.hpp"
#include "results/summary/summary.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

/// A counter that a child process shares with its parent.
class SharedCounter {
 public:
  SharedCounter()
      : memory_(mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    counter_ = new (memory_) Counter(0);
  }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  ~SharedCounter() { munmap(memory_, sizeof(Counter)); }
  [[nodiscard]] std::int64_t value() const { return counter_->load(); }
  void set(std::int64_t value) { counter_->store(value); }

 private:
  using Counter = std::atomic<std::int64_t>;
  void* memory_;
  Counter* counter_;
};

StepRow step(std::int64_t number) {
  StepRow row;
  row.attempt = number;
  row.begin = static_cast<double>(number) * 0.5;
  row.end = row.begin + 0.5;
  row.steps = number + 1;
  return row;
}

EventRow event(std::int64_t number) {
  return {static_cast<double>(number), "job_arrived", number, -1, std::to_string(number)};
}

// Without a pause between flushes, most kills happen during HDF5's own work.
[[noreturn]] void write_until_killed(const std::string& path, SharedCounter& flushed,
                                     std::int64_t rows_per_flush, useconds_t pause,
                                     RecordLevel level) {
  Recorder recorder(path, {{{"cell", "crash"}}, "", ""}, level);
  for (std::int64_t row = 0;; ++row) {
    recorder.add(step(row));
    recorder.add(event(row));
    if (level == RecordLevel::summary) recorder.add(JobRow{});
    if ((row + 1) % rows_per_flush != 0) continue;
    recorder.flush();
    flushed.set(row + 1);
    if (pause > 0) usleep(pause);
  }
}

/// A process that writes and flushes until it is killed, at the latest when its parent ends.
class Writer {
 public:
  Writer(const std::string& path, std::int64_t rows_per_flush, useconds_t pause = 0,
         RecordLevel level = RecordLevel::full)
      : process_(fork()) {
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      write_until_killed(path, flushed_, rows_per_flush, pause, level);
    }
    while (flushed_.value() == 0) usleep(100);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    if (process_ > 0) terminate();
  }

  [[nodiscard]] std::int64_t flushed_rows() const { return flushed_.value(); }
  void terminate() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }

 private:
  SharedCounter flushed_;
  pid_t process_;
};

class Crash : public testing::TestWithParam<std::int64_t> {};

TEST_P(Crash, LosesNoFlushedRowAndInventsNone) {
  RandomStream random(static_cast<std::uint64_t>(GetParam()), "life of a writer");
  for (int trial = 0; trial < 20; ++trial) {
    const TemporaryFolder folder;
    const std::string path = folder.file("cell.h5");
    const auto life = std::chrono::microseconds(random.below(30'000));

    Writer writer(path, GetParam());
    usleep(static_cast<useconds_t>(life.count()));
    writer.terminate();
    const std::int64_t flushed = writer.flushed_rows();

    const Reader reader(path + ".part");
    const auto steps = reader.rows<StepRow>();
    const auto events = reader.rows<EventRow>();
    ASSERT_GE(static_cast<std::int64_t>(steps.size()), flushed);
    ASSERT_GE(static_cast<std::int64_t>(events.size()), flushed);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const StepRow expected = step(static_cast<std::int64_t>(i));
      ASSERT_EQ(steps[i].attempt, expected.attempt) << "of " << steps.size();
      ASSERT_EQ(steps[i].end, expected.end);
      ASSERT_EQ(steps[i].steps, expected.steps);
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      ASSERT_EQ(events[i].detail, std::to_string(i)) << "of " << events.size();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RowsPerFlush, Crash, testing::Values(1, 100, 5000));

TEST(Crash, LosesNoFlushedJobFromTheTotals) {
  constexpr std::int64_t kRowsPerFlush = 10;
  RandomStream random(9, "life of a writer");
  for (int trial = 0; trial < 20; ++trial) {
    const TemporaryFolder folder;
    const std::string path = folder.file("cell.h5");
    const auto life = static_cast<useconds_t>(random.below(30'000));

    Writer writer(path, kRowsPerFlush, 0, RecordLevel::summary);
    usleep(life);
    writer.terminate();
    const std::int64_t flushed = writer.flushed_rows();

    const CellSummary summary = summarise(path + ".part");
    ASSERT_GE(summary.count("jobs"), flushed);
    ASSERT_LE(summary.count("jobs"), flushed + kRowsPerFlush);
    ASSERT_NEAR(static_cast<double>(summary.count("jobs_unfinished")),
                static_cast<double>(summary.count("jobs")), kRowsPerFlush);
  }
}

TEST(LiveFile, CanBeReadWhileItsWriterFlushes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  const Writer writer(path, 5, 300);

  for (int look = 0; look < 30; ++look) {
    const std::int64_t promised = writer.flushed_rows();
    const auto steps = Reader(path + ".part").rows<StepRow>();
    EXPECT_GE(static_cast<std::int64_t>(steps.size()), promised);
    EXPECT_EQ(steps.back().attempt, static_cast<std::int64_t>(steps.size()) - 1);
    usleep(2'000);
  }
}

TEST(Crash, OfTheWriterShowsAsInterruptedInTheSummary) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  Writer(path, 10).terminate();

  const CellSummary summary = summarise(path + ".part");

  EXPECT_EQ(summary.status, "interrupted");
  EXPECT_EQ(summary.cell, "crash");
}

TEST(Crash, LetsTheNextRunReplaceThePart) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  Writer(path, 10).terminate();

  Recorder recorder(path, {}, RecordLevel::full);
  recorder.complete();

  EXPECT_TRUE(Reader(path).rows<StepRow>().empty());
}

}  // namespace
}  // namespace mimus::results
