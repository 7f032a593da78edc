// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "results/file/reader.hpp"
#include "results/profile_file.hpp"
#include "results/recorder.hpp"
#include "results/summary/summary.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/results/write_journal.hpp"

namespace mimus::results {
namespace {

/// After this many changes of the file, this many rows are on disk for good.
struct Promise {
  std::size_t changes = 0;
  std::int64_t rows = 0;
};

std::int64_t promised(const std::vector<Promise>& promises, std::size_t changes) {
  std::int64_t rows = 0;
  for (const auto& promise : promises) {
    if (promise.changes <= changes) rows = promise.rows;
  }
  return rows;
}

/// Creates the file of a writer that is killed after each change, and in the middle of each longer
/// change. Calls `look(path, changes)` for each of them.
template <class Look>
void at_every_moment(const WriteJournal& journal, const Promise& shown, Look look) {
  constexpr std::size_t kPage = 4096;
  const TemporaryFolder folder;
  const std::string path = folder.file("killed.h5.part");
  const auto& changes = journal.changes();
  for (std::size_t done = 0; done < changes.size(); ++done) {
    const auto& change = changes[done];
    const auto into_page = static_cast<std::size_t>(change.offset) % kPage;
    const auto cut = (into_page + change.bytes.size()) / 2 / kPage * kPage;
    if (done >= shown.changes && cut > into_page) {
      replay(change, path, cut - into_page);
      look(path, done);
    }
    replay(change, path);
    if (done + 1 >= shown.changes) look(path, done + 1);
  }
}

StepRow step(std::int64_t number) {
  StepRow row;
  row.attempt = number;
  return row;
}

EventRow event(std::int64_t number) {
  return {static_cast<double>(number), "job_arrived", number, -1, std::to_string(number)};
}

class CrashAtEveryWrite : public testing::TestWithParam<RecordLevel> {
 protected:
  void add_rows(Recorder& recorder, std::int64_t count) {
    for (const std::int64_t end = rows_ + count; rows_ < end; ++rows_) {
      recorder.add(step(rows_));
      recorder.add(event(rows_));
      recorder.add(JobRow{});
    }
  }

  // One row, a few, and more than a chunk at a time, so that the chunk index grows in all its ways.
  void record() {
    Recorder recorder(
        folder_.file("cell.h5"),
        {.attributes = {{"cell", "c1"}}, .later = {{"wall_seconds"}, {"devices", 1024}}},
        GetParam());
    promises_.push_back({journal_.changes().size(), 0});
    for (const std::int64_t count : {1, 1, 200, 3'000, 1, 9'000, 500}) {
      add_rows(recorder, count);
      recorder.flush();
      promises_.push_back({journal_.changes().size(), rows_});
    }
    recorder.set_attribute("devices", "no driver");
    add_rows(recorder, 10);
    recorder.set_attribute("wall_seconds", 2.5);
    recorder.complete();
    journal_.finish();
  }

  TemporaryFolder folder_;
  WriteJournal journal_;
  std::vector<Promise> promises_;
  std::int64_t rows_ = 0;
};

TEST_P(CrashAtEveryWrite, LosesNoFlushedRowAndInventsNone) {
  record();

  int moments = 0;
  at_every_moment(journal_, promises_.front(), [&](const std::string& path, std::size_t changes) {
    ++moments;
    const Reader reader(path);
    ASSERT_EQ(reader.attribute("cell"), "c1");
    if (moments % 8 == 0) {
      ASSERT_GE(summarise(path).count("jobs"), promised(promises_, changes));
    }
    ASSERT_EQ(reader.recorded("steps"), GetParam() == RecordLevel::full);
    if (!reader.recorded("steps")) return;
    const auto steps = reader.rows<StepRow>();
    const auto events = reader.rows<EventRow>();
    ASSERT_GE(static_cast<std::int64_t>(events.size()), promised(promises_, changes));
    ASSERT_GE(static_cast<std::int64_t>(steps.size()), promised(promises_, changes));
    for (std::size_t row = 0; row < steps.size(); ++row) {
      ASSERT_EQ(steps[row].attempt, static_cast<std::int64_t>(row));
    }
    for (std::size_t row = 0; row < events.size(); ++row) {
      ASSERT_EQ(events[row].job, static_cast<std::int64_t>(row));
    }
  });
  EXPECT_GT(moments, 40);
}

INSTANTIATE_TEST_SUITE_P(OfACell, CrashAtEveryWrite,
                         testing::Values(RecordLevel::full, RecordLevel::jobs,
                                         RecordLevel::summary));

TEST(CrashAtEveryWriteOfAProfile, LosesNoFlushedRow) {
  const TemporaryFolder folder;
  WriteJournal journal;
  std::vector<Promise> promises;
  {
    ProfileWriter writer(folder.file("profile.h5"), {.attributes = {{"device", "cpu"}}});
    writer.set_status("running", "");
    promises.push_back({journal.changes().size(), 0});
    for (std::int64_t row = 1; row <= 40; ++row) {
      writer.add(ProfileRow{});
      writer.flush();
      promises.push_back({journal.changes().size(), row});
    }
    writer.complete();
  }
  journal.finish();

  at_every_moment(journal, promises.front(), [&](const std::string& path, std::size_t changes) {
    EXPECT_GE(static_cast<std::int64_t>(read_profile_file(path).rows.size()),
              promised(promises, changes));
  });
}

}  // namespace
}  // namespace mimus::results
