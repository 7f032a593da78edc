// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/rank_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mimus::kernels {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// 16 GPUs: four replicas of two stages, in which two share every layer.
constexpr ParallelShape kShape{.tensor = 2, .pipeline = 2, .data = 4};

TEST(RankGroups, CountTensorThenReplicaThenStage) {
  for (int rank = 0; rank < kShape.ranks(); ++rank) {
    EXPECT_EQ(rank_at(place_of(rank, kShape), kShape), rank);
  }
  const RankPlace place = place_of(11, kShape);
  EXPECT_EQ(place.tensor, 1);
  EXPECT_EQ(place.replica, 1);
  EXPECT_EQ(place.stage, 1);
}

TEST(RankGroups, NameAllWithWhomARankCommunicates) {
  const RankGroups groups = groups_of(3, kShape);
  EXPECT_THAT(groups.tensor, ElementsAre(2, 3));
  EXPECT_THAT(groups.data, ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(groups.tied, ElementsAre(3, 11));
  EXPECT_THAT(groups.activations_out, ElementsAre(3, 11));
  EXPECT_THAT(groups.gradients_in, ElementsAre(11, 3));
  EXPECT_THAT(groups.activations_in, IsEmpty());
  EXPECT_THAT(groups.gradients_out, IsEmpty());
}

TEST(RankGroups, StagesInTheMiddleHaveTwoNeighboursAndNoTable) {
  const RankGroups groups = groups_of(1, {.pipeline = 3});
  EXPECT_THAT(groups.activations_in, ElementsAre(0, 1));
  EXPECT_THAT(groups.gradients_out, ElementsAre(1, 0));
  EXPECT_THAT(groups.activations_out, ElementsAre(1, 2));
  EXPECT_THAT(groups.gradients_in, ElementsAre(2, 1));
  EXPECT_THAT(groups.tied, IsEmpty());
  EXPECT_THAT(groups.data, IsEmpty());
  EXPECT_THAT(groups.tensor, IsEmpty());
}

}  // namespace
}  // namespace mimus::kernels
