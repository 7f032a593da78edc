// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "docs/examples/largest_gang_first.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scheduler/builders.hpp"

namespace mimus::scheduler::test {
namespace {

using std::chrono::minutes;

TEST(LargestGangFirst, RanksByGangUntilPatienceEnds) {
  const LargestGangFirst order({.patience = minutes{10}});
  const JobView small = job(1, 1, 0.0);
  const JobView large = job(2, 8, 0.0);

  EXPECT_LT(order.rank(large, at(599)), order.rank(small, at(599)));
  EXPECT_EQ(order.next_change(small, at(599)), at(600));
  // Both have waited for ten minutes: the earlier id comes first.
  EXPECT_LT(order.rank(small, at(600)), order.rank(large, at(600)));
  EXPECT_EQ(order.next_change(small, at(600)), kNever);
}

TEST(LargestGangFirst, IsReadFromACampaignByItsChoice) {
  const Registry<Order> table("order", {largest_gang_first_choice()});
  const auto node =
      parse_yaml("{name: largest_gang_first, patience: 10 min, skip: false}", "a.yaml");

  const auto order = table.make(node, "policy.order");

  EXPECT_TRUE(order->blocks());
  EXPECT_EQ(order->next_change(job(1, 1, 0.0), at(0)), at(600));
}

}  // namespace
}  // namespace mimus::scheduler::test
