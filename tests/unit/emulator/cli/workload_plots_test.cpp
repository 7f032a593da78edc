// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_plots.hpp"

#include <array>

#include <gtest/gtest.h>

namespace mimus::emulator::cli {
namespace {

TEST(Bar, GrowsInEighths) {
  EXPECT_EQ(bar(1.0, 3), "███");
  EXPECT_EQ(bar(0.5, 3), "█▌");  // 12 of 24 eighths
  EXPECT_EQ(bar(0.25, 3), "▊");  // 6
}

TEST(Bar, ShowsTheSmallestShareAndNothingForNone) {
  EXPECT_EQ(bar(1e-9, 30), "▏");
  EXPECT_EQ(bar(0.0, 30), "");
  EXPECT_EQ(bar(2.0, 2), "██");
}

TEST(Sparkline, IsRelativeToTheLargest) {
  const std::array<std::int64_t, 5> values{0, 1, 8, 16, 15};
  EXPECT_EQ(sparkline(values), " ▁▄██");
}

TEST(Sparkline, IsBlankWithoutValues) {
  const std::array<std::int64_t, 2> none{0, 0};
  EXPECT_EQ(sparkline(none), "  ");
  EXPECT_EQ(sparkline({}), "");
}

}  // namespace
}  // namespace mimus::emulator::cli
