// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstring>
#include <sys/resource.h>

#include <hdf5.h>
#ifdef MIMUS_CHECKS_LEAKS
#include <sanitizer/lsan_interface.h>
#endif

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

/// HDF5 1.10.8 leaks some of the chunks that H5D__chunk_lock() has allocated when a write fails.
/// They must be allocated during the lifetime of this object and not come from free lists of
/// earlier tests.
class LeaksOfHdf5 {
 public:
  LeaksOfHdf5() { H5garbage_collect(); }

 private:
#ifdef MIMUS_CHECKS_LEAKS
  __lsan::ScopedDisabler allowed_;
#endif
};

/// Limits the size of files during its lifetime, so that writes fail as on a full disk, with
/// another error.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const struct rlimit smaller { bytes, before_.rlim_max };
    setrlimit(RLIMIT_FSIZE, &smaller);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  struct rlimit before_ {};
  void (*handler_)(int) = nullptr;
};

TEST(FullDisk, IsNamedByWhatTheSystemSays) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  std::string message;
  {
    Recorder recorder(path, {}, RecordLevel::full);
    const FileSizeLimit limit(1);
    for (int i = 0; i < 1000; ++i) recorder.add(JobRow{});
    try {
      recorder.flush();
    } catch (const IoError& error) {
      message = error.what();
    }
  }
  EXPECT_EQ(message, path + ".part: H5Fflush failed: " + std::strerror(EFBIG));
}

bool is_refused(Recorder& recorder) {
  try {
    recorder.add(JobRow{});
    return false;
  } catch (const IoError&) {
    return true;
  }
}

TEST(FullDisk, RefusesMoreRowsInsteadOfWritingThemBeyondTheBuffer) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file("cell.h5"), {}, RecordLevel::full);
  const LeaksOfHdf5 leaks;
  const FileSizeLimit limit(1);
  int rows = 0;
  // HDF5 buffers a few chunks before it writes one.
  while (rows < 20'000 && !is_refused(recorder)) ++rows;
  ASSERT_LT(rows, 20'000);

  // As in a cell that winds down: ten times what the buffer can hold.
  int refused = 0;
  for (int more = 0; more < 1000; ++more) refused += is_refused(recorder) ? 1 : 0;

  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace mimus::results
