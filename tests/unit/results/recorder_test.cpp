// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/recorder.hpp"

#include <fstream>
#include <functional>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "results/file/h5_file.hpp"
#include "results/file/reader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

using std::filesystem::exists;
using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const IoError& error) {
    return error.what();
  }
  return "no error";
}

JobRow job_named(const std::string& name) {
  JobRow job;
  job.name = name;
  return job;
}

class RecorderTest : public testing::Test {
 protected:
  [[nodiscard]] Recorder open(RecordLevel level = RecordLevel::full) const {
    return {path_, {{{"cell", "c1"}, {"seed", "42"}}, "a: 1\nb: é\n", "mimus run x.yaml"}, level};
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("new/folders/cell.h5");
  std::string part_ = path_ + ".part";
};

TEST_F(RecorderTest, CreatesFoldersAndIsCalledPartUntilComplete) {
  Recorder recorder = open();
  EXPECT_TRUE(exists(part_));
  EXPECT_FALSE(exists(path_));

  recorder.complete();

  EXPECT_FALSE(exists(part_));
  EXPECT_TRUE(exists(path_));
}

TEST_F(RecorderTest, KeepsProvenance) {
  open().complete();

  const Reader reader(path_);
  EXPECT_EQ(reader.attribute("cell"), "c1");
  EXPECT_EQ(reader.attribute("seed"), "42");
  EXPECT_EQ(reader.attribute("schema"), "mimus-results");
  EXPECT_EQ(reader.attribute("schema_version"), "1");
  EXPECT_EQ(reader.attribute("record"), "full");
  EXPECT_EQ(reader.resolved_config(), "a: 1\nb: é\n");
  EXPECT_EQ(reader.command_line(), "mimus run x.yaml");
}

TEST_F(RecorderTest, SaysRunningThenComplete) {
  Recorder recorder = open();
  EXPECT_EQ(Reader(part_).attribute("status"), "running");

  recorder.complete();

  EXPECT_EQ(Reader(path_).attribute("status"), "complete");
  EXPECT_EQ(Reader(path_).attributes().at("status_reason"), "");
}

TEST_F(RecorderTest, SaysInterruptedWhenItEndsWithoutComplete) {
  {
    Recorder recorder = open();
    recorder.add(job_named("kept"));
  }

  const Reader reader(part_);
  EXPECT_EQ(reader.attribute("status"), "interrupted");
  EXPECT_EQ(reader.rows<JobRow>().at(0).name, "kept");
  EXPECT_FALSE(exists(path_));
}

TEST_F(RecorderTest, KeepsTheReasonOfAFailure) {
  {
    Recorder recorder = open();
    recorder.set_status("failed", "worker 3 on n1 died");
  }

  EXPECT_EQ(Reader(part_).attribute("status"), "failed");
  EXPECT_EQ(Reader(part_).attribute("status_reason"), "worker 3 on n1 died");
}

TEST_F(RecorderTest, KeepsPlacesForWhatIsKnownLater) {
  Recorder recorder(path_, {.later = {{"wall_seconds"}, {"missing", 16}}}, RecordLevel::full);
  EXPECT_EQ(Reader(part_).attribute("wall_seconds"), "nan");
  EXPECT_EQ(Reader(part_).attribute("missing"), "");

  recorder.set_attribute("wall_seconds", 0.1);
  recorder.set_attribute("wall_seconds", 1e-9);
  recorder.set_attribute("missing", "power");
  recorder.set_attribute("missing", "temperature: no sensor");
  recorder.complete();

  EXPECT_EQ(Reader(path_).attribute("wall_seconds"), "1e-09");
  EXPECT_EQ(Reader(path_).attribute("missing"), "temperature: no ");
}

TEST_F(RecorderTest, RefusesAttributesWithoutAPlace) {
  Recorder recorder(path_, {.later = {{"wall_seconds"}, {"missing", 16}}}, RecordLevel::full);

  EXPECT_THROW(recorder.set_attribute("makespan", 1.0), InternalError);
  EXPECT_THROW(recorder.set_attribute("missing", 1.0), InternalError);
  EXPECT_THROW(recorder.set_attribute("wall_seconds", "long"), InternalError);
}

TEST_F(RecorderTest, ShowsFlushedRowsToReadersWhileItWrites) {
  Recorder recorder = open();
  recorder.add(job_named("first"));
  recorder.flush();
  recorder.add(job_named("second"));

  const auto seen = Reader(part_).rows<JobRow>();

  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].name, "first");
}

TEST_F(RecorderTest, FlushesWhenASecondHasPassed) {
  Recorder recorder = open();
  recorder.add(job_named("first"));
  usleep(1'050'000);
  recorder.flush_if_due();

  EXPECT_EQ(Reader(part_).rows<JobRow>().size(), 1U);
}

TEST_F(RecorderTest, RefusesASecondWriterNamingTheFile) {
  Recorder first = open();
  first.add(job_named("survives"));

  EXPECT_THAT(error_of([&] { auto second = open(); }),
              AllOf(HasSubstr(part_), HasSubstr("is being written by another process")));

  first.complete();
  EXPECT_EQ(Reader(path_).rows<JobRow>().at(0).name, "survives");
}

TEST_F(RecorderTest, RefusesToOverwriteACompleteResult) {
  open().complete();

  EXPECT_THAT(error_of([&] { auto again = open(); }),
              AllOf(HasSubstr(path_), HasSubstr("never overwritten")));
}

TEST_F(RecorderTest, RefusesToOverwriteAResultThatAppearedMeanwhile) {
  Recorder recorder = open();
  std::ofstream(path_) << "of another program";

  EXPECT_THAT(error_of([&] { recorder.complete(); }), HasSubstr("never overwritten"));
  EXPECT_TRUE(exists(part_));
}

TEST_F(RecorderTest, ReplacesAnOldPart) {
  { open().add(job_named("old")); }

  open().complete();

  EXPECT_TRUE(Reader(path_).rows<JobRow>().empty());
}

TEST_F(RecorderTest, NamesAFolderThatCannotBeCreated) {
  std::ofstream(folder_.file("new")) << "a file, not a folder";

  EXPECT_THAT(error_of([&] { auto recorder = open(); }),
              AllOf(HasSubstr("new/folders"), HasSubstr("cannot be created")));
}

TEST_F(RecorderTest, RefusesRowsAfterCompletion) {
  Recorder recorder = open();
  recorder.complete();

  EXPECT_THROW(recorder.add(JobRow{}), InternalError);
  EXPECT_THROW(recorder.flush(), InternalError);
}

TEST_F(RecorderTest, CanBeMoved) {
  Recorder first = open();
  first.add(job_named("one"));
  Recorder second = std::move(first);
  second.add(job_named("two"));
  second.complete();

  EXPECT_EQ(Reader(path_).rows<JobRow>().size(), 2U);
}

TEST_F(RecorderTest, LeavesOutTheTablesThatItsLevelLeavesOut) {
  Recorder recorder = open(RecordLevel::summary);
  recorder.add(StepRow{});
  recorder.add(AttemptRow{});
  recorder.add(JobRow{});
  recorder.complete();

  const Reader reader(path_);
  EXPECT_FALSE(reader.recorded("steps"));
  EXPECT_FALSE(reader.recorded("jobs"));
  EXPECT_TRUE(reader.rows<StepRow>().empty());
  EXPECT_EQ(reader.attribute("record"), "summary");
}

TEST_F(RecorderTest, SaysWhichLevelsItKeeps) {
  const Recorder recorder = open(RecordLevel::jobs);
  EXPECT_FALSE(recorder.keeps(RecordLevel::full));
  EXPECT_TRUE(recorder.keeps(RecordLevel::jobs));
  EXPECT_TRUE(recorder.keeps(RecordLevel::summary));
}

TEST_F(RecorderTest, BringsTotalsUpToDateInPlaceWithEveryFlush) {
  Recorder recorder = open(RecordLevel::summary);
  recorder.flush();
  const auto before = Reader(part_).rows<TotalRow>();
  recorder.add(JobRow{});
  recorder.flush();
  const auto after = Reader(part_).rows<TotalRow>();

  ASSERT_EQ(before.size(), after.size());
  EXPECT_EQ(before[0].metric, "jobs");
  EXPECT_EQ(before[0].value, 0);
  EXPECT_EQ(after[0].value, 1);
}

TEST_F(RecorderTest, WritesQuantilesWhenTheCellStops) {
  {
    Recorder recorder = open(RecordLevel::summary);
    recorder.add(JobRow{});
    recorder.flush();
    EXPECT_TRUE(Reader(part_).rows<QuantileRow>().empty());
  }
  EXPECT_FALSE(Reader(part_).rows<QuantileRow>().empty());
}

TEST_F(RecorderTest, CountsTextsThatItCut) {
  Recorder recorder = open();
  recorder.add(job_named(std::string(65, 'x')));  // `name` keeps 64 bytes
  recorder.add(job_named(std::string(64, 'y')));
  recorder.complete();

  EXPECT_EQ(Reader(path_).rows<JobRow>().at(0).name, std::string(64, 'x'));
  const H5File file = H5File::open_read_only(path_);
  const H5Attribute cut(H5Aopen_by_name(file.id(), "jobs", "truncated", H5P_DEFAULT, H5P_DEFAULT));
  std::int64_t count = -1;
  H5Aread(cut.get(), H5T_NATIVE_INT64, &count);
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace mimus::results
