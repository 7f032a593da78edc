// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/pareto_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mimus::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ParetoOrder, FrontsComeOneAfterTheOther) {
  // 0 and 2 dominate nothing of each other; 1 and 3 are dominated by 0 and 2, and 4 by 3 too.
  const std::vector<Objectives> points{{1, 5}, {2, 4}, {3, 6}, {4, 5.5}, {5, 5}};
  EXPECT_THAT(pareto_order(points), ElementsAre(0, 2, 1, 3, 4));
}

/// Both ends come first. The third point has room of 0.9 + 0.5 between its neighbours, the second
/// 0.2 + 0.6.
TEST(ParetoOrder, PointsWithRoomComeFirstInAFront) {
  const std::vector<Objectives> points{{0, 0}, {1, 5}, {2, 6}, {10, 10}};
  EXPECT_THAT(pareto_order(points), ElementsAre(0, 3, 2, 1));
}

TEST(ParetoOrder, EqualPointsDominateEachOther) {
  const std::vector<Objectives> points{{1, 2}, {1, 2}, {1, 1}};
  EXPECT_THAT(pareto_order(points), ElementsAre(0, 1, 2));
  EXPECT_THAT(pareto_order({}), IsEmpty());
}

}  // namespace
}  // namespace mimus::scheduler
