// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/launch/held_errors.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

/// A program that writes to stderr and ends.
void write_as_child(const HeldErrors& errors, const std::string& text) {
  const pid_t child = ::fork();
  if (child == 0) {
    errors.take_own();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t count = ::write(STDERR_FILENO, text.data() + at, text.size() - at);
      if (count <= 0) ::_exit(1);
      at += static_cast<std::size_t>(count);
    }
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
}

TEST(HeldErrors, WhatIsNotReleasedIsHandedOver) {
  testing::internal::CaptureStderr();
  HeldErrors errors;
  write_as_child(errors, "[host:77] *** Process received signal ***\n");

  const std::string held = errors.finish();

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(held, "[host:77] *** Process received signal ***\n");
}

TEST(HeldErrors, AReleasePassesOnWhatIsHeldAndWhatFollows) {
  testing::internal::CaptureStderr();
  HeldErrors errors;
  write_as_child(errors, "before\n");
  errors.release();
  write_as_child(errors, "after\n");

  const std::string held = errors.finish();

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "before\nafter\n");
  EXPECT_EQ(held, "");
}

TEST(HeldErrors, MoreThanIsHeldIsNotLost) {
  const std::string much(3U << 20U, 'x');  // more than a pipe holds, and more than is kept
  testing::internal::CaptureStderr();
  HeldErrors errors;
  write_as_child(errors, much);

  const std::string held = errors.finish();

  EXPECT_EQ(testing::internal::GetCapturedStderr() + held, much);
}

TEST(HeldErrors, OwnWordsComeFirstAndOthersBelowAHeading) {
  EXPECT_EQ(in_order("[host:77] PMIX ERROR\n"
                     "mimus rank 2: error: no memory\n"
                     "  on host h\n"
                     "  backtrace\n"
                     "[host:77] [ 0] libc\n"
                     "  of libc\n"),
            "mimus rank 2: error: no memory\n"
            "  on host h\n"
            "  backtrace\n"
            "mimus: output of MPI and its launcher:\n"
            "[host:77] PMIX ERROR\n"
            "[host:77] [ 0] libc\n"
            "  of libc\n");
  EXPECT_EQ(in_order("mimus: error: no\n"), "mimus: error: no\n");
  EXPECT_EQ(in_order("half a line"), "mimus: output of MPI and its launcher:\nhalf a line\n");
  EXPECT_EQ(in_order(""), "");
}

}  // namespace
}  // namespace mimus::emulator
