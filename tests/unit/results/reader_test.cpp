// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/reader.hpp"

#include <array>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "results/file/h5_table.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of_reading(const std::string& path) {
  try {
    const Reader reader(path);
  } catch (const IoError& error) {
    return error.what();
  }
  return "no error";
}

H5File file_of_version(const std::string& path, std::int64_t version) {
  H5File file = H5File::create(path);
  file.set_attribute("schema", std::string(kSchemaName));
  file.set_attribute("schema_version", version);
  file.set_attribute("software_version", std::string("9.9"));
  return file;
}

TEST(ReaderTest, NamesAFileThatIsMissing) {
  EXPECT_THAT(error_of_reading("nowhere/cell.h5"),
              AllOf(HasSubstr("nowhere/cell.h5"), HasSubstr("is not a file")));
}

TEST(ReaderTest, PointsToThePartOfAnUnfinishedCell) {
  const TemporaryFolder folder;
  { Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full); }

  EXPECT_THAT(error_of_reading(folder.file("cell.h5")), HasSubstr("cell.h5.part"));
}

TEST(ReaderTest, GivesWhatFollowsTheRowsThatAreSkipped) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full);
  for (const std::int64_t job : {4, 5, 6}) recorder.add(EventRow{1.0, "job_arrived", job, -1, ""});
  recorder.flush();
  const Reader reader(folder.file("cell.h5.part"));

  EXPECT_EQ(reader.rows<EventRow>().size(), 3U);
  ASSERT_EQ(reader.rows<EventRow>(2).size(), 1U);
  EXPECT_EQ(reader.rows<EventRow>(2).front().job, 6);
  EXPECT_TRUE(reader.rows<EventRow>(3).empty());
  EXPECT_TRUE(reader.rows<EventRow>(9).empty());
}

// Complete files are renamed, which others may be reading.
TEST(ReaderTest, ReadsAFileThatIsRenamedMeanwhile) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full);
  recorder.add(EventRow{1.0, "job_arrived", 4, -1, ""});
  recorder.flush();
  const Reader reader(folder.file("cell.h5.part"));
  std::filesystem::rename(folder.file("cell.h5.part"), folder.file("other.h5"));

  EXPECT_EQ(reader.rows<EventRow>().size(), 1U);
}

TEST(ReaderTest, RefusesAFileOfAnotherKind) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("notes.h5")) << "not HDF5";

  EXPECT_THAT(error_of_reading(folder.file("notes.h5")), HasSubstr("is not an HDF5 file"));
}

TEST(ReaderTest, RefusesAnHdf5FileOfAnotherProgram) {
  const TemporaryFolder folder;
  H5File::create(folder.file("other.h5")).close();

  EXPECT_THAT(error_of_reading(folder.file("other.h5")), HasSubstr("schema = mimus-results"));
}

TEST(ReaderTest, RefusesAnotherSchemaVersionAndSaysWhoCanReadIt) {
  const TemporaryFolder folder;
  file_of_version(folder.file("future.h5"), 2).close();

  EXPECT_THAT(error_of_reading(folder.file("future.h5")),
              AllOf(HasSubstr("schema version 2"), HasSubstr("reads version 1"), HasSubstr("9.9")));
}

TEST(ReaderTest, GivesColumnsThatTheFileLacksTheirDefault) {
  const TemporaryFolder folder;
  const TableInfo older{
      "queue_delay",
      "",
      "",
      RecordLevel::summary,
      {{"job", ColumnType::integer, 8, 0, "", ""}, {"end", ColumnType::real, 8, 8, "s", ""}},
      16};
  {
    H5File file = file_of_version(folder.file("old.h5"), kSchemaVersion);
    H5TableWriter writer(file, older);
    std::array<std::byte, 16> record{};
    const std::int64_t job = 7;
    const double end = 2.5;
    std::memcpy(record.data(), &job, 8);
    std::memcpy(record.data() + 8, &end, 8);
    writer.append(record.data(), 1);
    writer.commit(0);
  }

  const auto rows = Reader(folder.file("old.h5")).rows<QueueDelayRow>();

  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].job, 7);
  EXPECT_EQ(rows[0].end, 2.5);
  EXPECT_EQ(rows[0].cause, "");
  EXPECT_EQ(rows[0].begin, 0.0);
}

TEST(ReaderTest, GivesNothingForAnAttributeThatIsAbsent) {
  const TemporaryFolder folder;
  Recorder(folder.file("cell.h5"), {}, RecordLevel::full).complete();

  EXPECT_EQ(Reader(folder.file("cell.h5")).attribute("no such thing"), "");
}

TEST(ReaderTest, ReadsAFileWhoseEndWasCutOffAsAnErrorNotACrash) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  {
    Recorder recorder(path, {}, RecordLevel::full);
    for (int i = 0; i < 1000; ++i) recorder.add(StepRow{});
    recorder.complete();
  }
  for (const double share : {0.01, 0.3, 0.6, 0.99}) {
    const auto whole = std::filesystem::file_size(path);
    const std::string cut = folder.file("cut.h5");
    std::filesystem::copy_file(path, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut,
                                 static_cast<std::uintmax_t>(share * static_cast<double>(whole)));

    EXPECT_THROW((void)Reader(cut).rows<StepRow>(), IoError) << share;
  }
}

}  // namespace
}  // namespace mimus::results
