// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstring>
#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

/// Files cannot grow beyond this while it lives: writes fail as on a full disk, by another error.
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

}  // namespace
}  // namespace mimus::results
