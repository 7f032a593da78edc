// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/allox.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace mimus::scheduler {
namespace {

/// J0 ends the V100's line and J1 comes before it there; J2 has the K80. Ends 100 + 200 + 100 s.
TEST(AlloX, ShortJobsComeFirstWhereTheyAreFast) {
  const std::vector<LinedJob> jobs{{{100, 400}}, {{100, 150}}, {{100, 100}}};
  const std::vector<int> gpus{1, 1};
  const auto first = first_in_line(jobs, gpus);
  ASSERT_TRUE(first[2].has_value());
  EXPECT_EQ(*first[2], 1U);
  // Either of J0 and J1 may be first on the V100: both take 100 s there.
  EXPECT_NE(first[0].has_value(), first[1].has_value());
  EXPECT_EQ(first[0].value_or(0) + first[1].value_or(0), 0U);
}

TEST(AlloX, EveryJobHasAGpuWhereThereAreEnough) {
  const std::vector<LinedJob> jobs{{{10, 30}}, {{20, 25}}, {{40, 90}}};
  const std::vector<int> gpus{2, 2};
  const auto first = first_in_line(jobs, gpus);
  // 10 + 25 + 40 s.
  EXPECT_EQ(first[0], std::optional<std::size_t>(0));
  EXPECT_EQ(first[1], std::optional<std::size_t>(1));
  EXPECT_EQ(first[2], std::optional<std::size_t>(0));
}

TEST(AlloX, ShorterJobsOfOneLineComeFirst) {
  const std::vector<LinedJob> jobs{{{300}}, {{100}}, {{200}}};
  const std::vector<int> gpus{1};
  const auto first = first_in_line(jobs, gpus);
  EXPECT_FALSE(first[0].has_value());
  EXPECT_TRUE(first[1].has_value());
  EXPECT_FALSE(first[2].has_value());
}

}  // namespace
}  // namespace mimus::scheduler
