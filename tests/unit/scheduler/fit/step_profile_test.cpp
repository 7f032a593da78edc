// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/step_profile.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

// 10 steps of 0.5 s and 30 of 0.9 s: the mean is 0.8 s.
TEST(StepProfile, KeepsTheMeanOverAllStepsOfAPlacementAndBatch) {
  StepProfile profile;
  profile.add({1, 2, 16, 0.4, 0.5}, 10);
  profile.add({1, 2, 16, 0.6, 0.9}, 30);
  profile.add({2, 2, 16, 0.4, 0.7}, 1);
  profile.add({1, 2, 32, 0.5, 0.8}, 1);

  ASSERT_EQ(profile.means().size(), 3U);
  EXPECT_NEAR(profile.means()[0].compute, 0.55, 1e-12);
  EXPECT_NEAR(profile.means()[0].step, 0.8, 1e-12);
}

// 100 steps of 1 s. One step of 1.5 s moves the mean by 0.5 %, and another one by as much.
TEST(StepProfile, HasNewsWhereARowIsNewOrHasMovedByMoreThanOnePercent) {
  StepProfile profile;
  EXPECT_FALSE(profile.has_news());
  profile.add({1, 1, 16, 1.0, 1.0}, 100);
  EXPECT_TRUE(profile.has_news());
  (void)profile.fit();
  EXPECT_FALSE(profile.has_news());

  profile.add({1, 1, 16, 1.5, 1.5}, 1);
  EXPECT_FALSE(profile.has_news());
  profile.add({1, 1, 16, 1.5, 1.5}, 2);
  EXPECT_TRUE(profile.has_news());
  (void)profile.fit();
  profile.add({1, 2, 16, 1.5, 1.6}, 1);
  EXPECT_TRUE(profile.has_news());
}

TEST(StepProfile, HasNoModelBeforeTheFirstSample) {
  EXPECT_THROW((void)StepProfile().fit(), InternalError);
}

}  // namespace
}  // namespace mimus::scheduler
