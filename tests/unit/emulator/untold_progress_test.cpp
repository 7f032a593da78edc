// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/untold_progress.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

AttemptProgress one_window(int attempt, double samples, bool is_report) {
  StepWindow window;
  window.samples = samples;
  return {.attempt = AttemptId{attempt},
          .windows = {window},
          .samples_done = samples,
          .is_report = is_report};
}

TEST(UntoldProgressTest, AReportBringsEverythingSinceTheLastOne) {
  UntoldProgress untold(true);
  EXPECT_FALSE(untold.add(one_window(1, 10, false)).has_value());
  EXPECT_FALSE(untold.add(one_window(2, 99, false)).has_value());

  const auto told = untold.add(one_window(1, 20, true));

  ASSERT_TRUE(told.has_value());
  ASSERT_EQ(told->windows.size(), 2U);
  EXPECT_EQ(told->windows[0].samples, 10.0);
  EXPECT_EQ(told->samples_done, 20.0);
  EXPECT_EQ(untold.add(one_window(1, 30, true))->windows.size(), 1U);
}

TEST(UntoldProgressTest, APolicyThatDoesNotLearnHearsOfTheLastWindow) {
  UntoldProgress untold(false);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(untold.add(one_window(1, i, false)).has_value());

  const auto rest = untold.take(AttemptId{1});

  ASSERT_TRUE(rest.has_value());
  ASSERT_EQ(rest->windows.size(), 1U);
  EXPECT_EQ(rest->windows[0].samples, 4.0);
  EXPECT_FALSE(untold.take(AttemptId{1}).has_value());
}

// A report at an instant at which nothing more has been recorded.
TEST(UntoldProgressTest, AReportWithoutAWindowBringsTheEarlierOnes) {
  UntoldProgress untold(false);
  EXPECT_FALSE(untold.add(one_window(1, 10, false)).has_value());

  AttemptProgress report = one_window(1, 10, true);
  report.windows.clear();

  EXPECT_EQ(untold.add(report)->windows.size(), 1U);
}

}  // namespace
}  // namespace mimus::emulator
