// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/node_scaling.hpp"

#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

/// n/(1 + a(n − 1)): per node 1/(1 + a(n − 1)) of the first one's.
std::function<double(int)> worth(double a) {
  return [a](int nodes) { return nodes / (1.0 + a * (nodes - 1)); };
}

// With a = 0.2 six nodes are worth half their number; there each keeps 0.5 < 2/3. With a = 0.05 it
// is 0.8, and on 16 still 1/1.75 > 0.5.
TEST(NodeScalingRule, GrowsToHalfTheWorthPerNodeWhileItKeepsTwoThirds) {
  const NodeScaling rule({});

  EXPECT_EQ(rule.nodes(1, 16, worth(0.2)), 6);
  EXPECT_EQ(rule.nodes(6, 16, worth(0.2)), 6);
  EXPECT_EQ(rule.nodes(6, 16, worth(0.05)), 16);
  EXPECT_EQ(rule.nodes(6, 8, worth(0.05)), 8);
}

TEST(NodeScalingRule, NeverGivesNodesBack) {
  EXPECT_EQ(NodeScaling({}).nodes(12, 16, worth(5.0)), 12);
}

TEST(NodeScalingRule, StaysWhereNothingIsBelieved) {
  EXPECT_EQ(NodeScaling({}).nodes(1, 16, [](int) { return 0.0; }), 1);
}

TEST(NodeScalingRule, IsStatedAsAPlanner) {
  const Policy made = policy("planner: {name: node_scaling, by: throughput}");
  ASSERT_NE(made.planner, nullptr);
  EXPECT_FALSE(made.keeps_gangs());
  EXPECT_EQ(made.estimate->name().substr(0, 7), "profile");
}

}  // namespace
}  // namespace mimus::scheduler::test
