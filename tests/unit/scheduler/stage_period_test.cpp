// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/muri/stage_period.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

using Group = std::vector<StageTimes>;

// Of Muri's trace, on one GPU, in milliseconds.
constexpr StageTimes kDqn{.input = 446, .compute = 8, .network = 0, .iteration = 490};
constexpr StageTimes kGpt2{.input = 0.6, .compute = 410, .network = 0, .iteration = 426};
constexpr StageTimes kBert{.input = 0.5, .compute = 160, .network = 0, .iteration = 178};

Group of_milliseconds(Group group) {
  for (StageTimes& member : group) {
    for (double* time : {&member.input, &member.compute, &member.network, &member.iteration}) {
      *time /= 1000.0;
    }
  }
  return group;
}

Group alike(std::size_t members) {
  return of_milliseconds(Group(members, {.input = 2, .compute = 1, .network = 1, .iteration = 4}));
}

/// In iterations alone per iteration of the group.
double sum_of_speeds(const Group& group) {
  const double alone = std::accumulate(group.begin(), group.end(), 0.0, [](double sum, auto job) {
    return sum + group_iteration({&job, 1});
  });
  return alone / group_iteration(group);
}

TEST(StagePeriod, OfMembersThatAreAlike) {
  for (const std::size_t members : {2U, 3U, 4U}) {
    EXPECT_NEAR(interleaved_period(alike(members)), 0.004, 1e-9);
  }
  EXPECT_NEAR(interleaving_efficiency(alike(2)), 0.3816, 5e-5);
  EXPECT_NEAR(interleaving_efficiency(alike(3)), 0.5075, 5e-5);
  EXPECT_NEAR(interleaving_efficiency(alike(4)), 0.7409, 5e-5);
  EXPECT_NEAR(sum_of_speeds(alike(4)), 3.008, 5e-4);
}

TEST(StagePeriod, OfComplementaryStages) {
  const Group group = of_milliseconds({kDqn, kGpt2});
  EXPECT_NEAR(interleaved_period(group), 0.454, 1e-9);
  EXPECT_NEAR(group_iteration(group), 0.59490, 5e-6);
  EXPECT_NEAR(interleaving_efficiency(group), 0.3633, 5e-5);
  EXPECT_NEAR(sum_of_speeds(group), 1.563, 5e-4);
  EXPECT_FALSE(slower_than_in_turn(group));
}

TEST(StagePeriod, OfStagesThatCollide) {
  const Group group = of_milliseconds({kBert, kGpt2});
  EXPECT_NEAR(interleaved_period(group), 0.570, 1e-9);
  EXPECT_NEAR(group_iteration(group), 0.74690, 5e-6);
  EXPECT_TRUE(slower_than_in_turn(group));
}

// bert and vgg19 on eight GPUs. The second slot has nothing but bert's input, which began with the
// first one and does not wait for its end: 0.5 + 167 + 88 ms, as in Muri's simulator.
TEST(StagePeriod, ASlotWithInputAloneBeginsWithTheSlotBefore) {
  const Group group{{.input = 0.0005, .compute = 0.167, .network = 0.059, .iteration = 0.192},
                    {.input = 0.082, .compute = 0.088, .network = 0.060, .iteration = 0.226}};
  EXPECT_NEAR(interleaved_period(group), 0.2555, 1e-9);
}

TEST(StagePeriod, TakesTheBestOrder) {
  for (const Group& group : {Group{kDqn, kBert, kGpt2}, Group{kGpt2, kDqn, kBert}}) {
    const Group seconds = of_milliseconds(group);
    EXPECT_NEAR(interleaved_period(seconds), 0.578, 1e-9);
    EXPECT_NEAR(group_iteration(seconds), 0.85419, 5e-6);
    EXPECT_NEAR(interleaving_efficiency(seconds), 0.3000, 5e-5);
  }
}

TEST(StagePeriod, SlowdownIsOfTheFirstMember) {
  const Group group = of_milliseconds({kDqn, kGpt2});
  EXPECT_NEAR(interleaving_slowdown(group), 0.59490 / (1.015 * 0.490), 1e-5);
  EXPECT_EQ(interleaving_slowdown({group.data(), 1}), 1.0);
}

TEST(StagePeriod, NoSlowdownIsBelowOne) {
  const StageTimes odd{.input = 0.001, .compute = 0.001, .network = 0.001, .iteration = 0.4};
  EXPECT_EQ(interleaving_slowdown(Group{odd, odd}), 1.0);
}

TEST(StagePeriod, HasOneToFourMembers) {
  EXPECT_THROW((void)interleaved_period({}), InternalError);
  EXPECT_THROW((void)interleaved_period(alike(5)), InternalError);
}

}  // namespace
}  // namespace mimus::scheduler
