// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "results/file/checksums.hpp"
#include "results/file/reader.hpp"
#include "results/profile_file.hpp"
#include "results/recorder.hpp"
#include "results/summary/summary.hpp"
#include "tests/support/temporary_folder.hpp"

// HDF5 1.10 leaks the header of an object that it gives up reading (H5O__chunk_deserialize).
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name
extern "C" const char* __lsan_default_suppressions() {
  return "leak:H5FL__malloc\n";
}

namespace mimus::results {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A complete cell with rows in the tables that a summary reads, and copies with changed bytes.
class DamagedFile : public testing::Test {
 protected:
  DamagedFile() {
    Provenance provenance;
    provenance.attributes = {{"cell", "c1"}, {"engine", "live"}};
    Recorder recorder(whole_, provenance, RecordLevel::full);
    for (std::int64_t job = 0; job < 40; ++job) {
      JobRow row;
      row.job = job;
      row.outcome = "finished";
      row.end = row.jct = 2.0;
      recorder.add(row);
      recorder.add(EventRow{1.0, "job_arrived", job, -1, ""});
    }
    recorder.complete();
    good_ = content_of(whole_);
    sums_ = *read_checksums(whole_);
  }

  [[nodiscard]] std::string with(const std::string& content) const {
    const std::string path = folder_.file("other.h5");
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    return path;
  }
  /// The content without checksums, as in files of earlier versions.
  [[nodiscard]] std::string old_content() const { return good_.substr(0, sums_.content_bytes); }

  /// The summary of the file. Nothing if it is refused with its name and the next step.
  static std::optional<CellSummary> read(const std::string& path) {
    try {
      const Reader reader(path);
      EXPECT_EQ(reader.rows<EventRow>().size(), 40U);
      return summarise(path);
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path));
      return std::nullopt;
    }
  }

  const TemporaryFolder folder_;
  const std::string whole_ = folder_.file("cell.h5");
  std::string good_;
  Checksums sums_;
};

std::string flipped(std::string content, std::size_t at, unsigned bit) {
  content[at] = static_cast<char>(static_cast<unsigned char>(content[at]) ^ (1U << bit));
  return content;
}

TEST_F(DamagedFile, IsNamedWithTheBytesAndWhatToDo) {
  const std::string path = with(flipped(good_, 10, 0));

  try {
    const Reader reader(path);
    FAIL() << "read";
  } catch (const DamagedError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("other.h5: is damaged: bytes 0 to 65536"),
                                    HasSubstr("restore the file from a copy, or remove it")));
  }
}

TEST_F(DamagedFile, NeverShowsOtherFigures) {
  std::mt19937_64 random(19);
  const CellSummary expected = *read(with(good_));
  int refused = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    const std::string path = with(flipped(good_, random() % sums_.content_bytes, trial % 8));
    EXPECT_THROW(require_undamaged(path), DamagedError);
    const auto found = read(path);
    refused += found ? 0 : 1;
    if (found) {
      EXPECT_EQ(*found, expected);
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(DamagedFile, IsRefusedWhereItsContentIsCutOff) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    EXPECT_FALSE(read(with(good_.substr(0, random() % sums_.content_bytes))));
  }
}

TEST_F(DamagedFile, IsReadWhereOnlyItsChecksumsAreDamaged) {
  for (std::size_t at = sums_.content_bytes; at < good_.size(); at += 7) {
    EXPECT_TRUE(read(with(flipped(good_, at, 3))));
  }
}

// HDF5 may read these, refuse them, crash or never end. The caller must survive all of this.
TEST_F(DamagedFile, WithoutChecksumsTakesNobodyWithIt) {
  std::mt19937_64 random(23);
  const std::string old = old_content();
  ASSERT_TRUE(read(with(old)));
  int refused = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::string content = old;
    for (unsigned flip = 0; flip < 40; ++flip) {  // mostly at the beginning, in HDF5's own data
      content = flipped(content, random() % (flip % 2 == 0 ? 40'000 : old.size()), flip % 8);
    }
    try {
      const auto ignored = summarise(with(content));
    } catch (const IoError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(DamagedFile, MayBeAProfile) {
  const std::string path = folder_.file("profile.h5");
  {
    ProfileWriter writer(path, {});
    writer.add(ProfileRow{});
    writer.complete();
  }
  ASSERT_EQ(read_profile_file(path).rows.size(), 1U);
  EXPECT_THROW(static_cast<void>(read_profile_file(with(flipped(content_of(path), 100, 1)))),
               DamagedError);
}

}  // namespace
}  // namespace mimus::results
