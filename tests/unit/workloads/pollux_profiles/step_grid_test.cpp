// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux/step_grid.hpp"

#include <gtest/gtest.h>

namespace mimus::workloads {
namespace {

TEST(TimingLine, IsLinearBetweenBatchesAndEmptyOutside) {
  const TimingLine line{{10.0, {1.0, 0.5}}, {20.0, {2.0, 0.5}}};

  EXPECT_NEAR(timing_at(line, 15.0)->step, 1.5, 1e-15);
  EXPECT_EQ(timing_at(line, 10.0)->step, 1.0);
  EXPECT_EQ(timing_at(line, 20.0)->step, 2.0);
  EXPECT_FALSE(timing_at(line, 9.0));
  EXPECT_FALSE(timing_at(line, 21.0));
  EXPECT_FALSE(timing_at({}, 10.0));
}

TEST(StepGrid, APointMeasuredTwiceCountsAsItsMean) {
  StepGrid grid;
  grid.add(2, 4, 8.0, {1.0, 0.2});
  grid.add(2, 4, 8.0, {3.0, 0.4});

  const auto timing = grid.at(2, 4, 8.0);

  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->step, 2.0);
  EXPECT_NEAR(timing->sync, 0.3, 1e-15);
}

// step = nodes + 10·replicas + 100·batch on a grid of two by two by two.
class LinearGrid : public testing::Test {
 protected:
  LinearGrid() {
    for (const int nodes : {2, 4}) {
      for (const int per_node : {1, 3}) {
        for (const double batch : {8.0, 16.0}) {
          const int replicas = nodes * per_node;
          grid_.add(nodes, replicas, batch, {nodes + 10.0 * replicas + 100.0 * batch, 0.0});
        }
      }
    }
  }
  StepGrid grid_;
};

TEST_F(LinearGrid, ReproducesALinearFunctionInside) {
  EXPECT_NEAR(grid_.at(2, 4, 12.0)->step, 2 + 40 + 1200, 1e-9);
  EXPECT_NEAR(grid_.at(3, 6, 12.0)->step, 3 + 60 + 1200, 1e-9);
  EXPECT_NEAR(grid_.at(3, 9, 8.0)->step, 3 + 90 + 800, 1e-9);
}

TEST_F(LinearGrid, MoreNodesThanMeasuredCountAsTheMost) {
  EXPECT_NEAR(grid_.at(9, 12, 8.0)->step, 4 + 120 + 800, 1e-9);
}

TEST_F(LinearGrid, IsEmptyOutside) {
  EXPECT_FALSE(grid_.at(1, 1, 8.0));
  EXPECT_FALSE(grid_.at(2, 7, 8.0));
  EXPECT_FALSE(grid_.at(2, 4, 20.0));
}

}  // namespace
}  // namespace mimus::workloads
