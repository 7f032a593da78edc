// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/host/host_floors.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

using kernels::PaceClock;

struct HostFloorsTest : testing::Test {
  HostFloors floors{3};  // rank 0's and two more
};

TEST_F(HostFloorsTest, AHostWithoutWorkHoldsNobody) {
  EXPECT_EQ(floors.least_of_others(0), PaceClock::kWallEnd);
  EXPECT_TRUE(floors.has_taken_up(1));
}

TEST_F(HostFloorsTest, EachHostIsHeldByTheOthersAndNotByItself) {
  floors.report(1, {.least_ns = 100});
  floors.report(2, {.least_ns = 300});

  EXPECT_EQ(floors.least_of_others(0), 100);
  EXPECT_EQ(floors.least_of_others(1), 300);
  EXPECT_EQ(floors.least_of_others(2), 100);
}

// Of two messages that were sent before the report, the second is still on its way. Its event
// happened at 100 at the earliest, although the host has come further.
TEST_F(HostFloorsTest, AReportCountsOnceTheMessagesBeforeItHaveBeenRead) {
  floors.report(1, {.least_ns = 100, .told = 0});
  floors.heard(1);
  floors.report(1, {.least_ns = 900, .told = 2});
  EXPECT_EQ(floors.least(1), 100);

  floors.heard(1);
  EXPECT_EQ(floors.least(1), 900);
}

TEST_F(HostFloorsTest, AMessageReadBeforeItsReportIsCounted) {
  floors.heard(1);
  floors.report(1, {.least_ns = 900, .told = 1});
  EXPECT_EQ(floors.least(1), 900);
}

TEST_F(HostFloorsTest, WhatIsGivenIsHeldForUntilAllOfItIsTakenUp) {
  floors.given(1);
  floors.given(1);
  floors.report(1, {.taken_up = 1, .least_ns = 100});
  EXPECT_FALSE(floors.has_taken_up(1));
  EXPECT_TRUE(floors.has_taken_up(2));

  floors.report(1, {.taken_up = 2, .least_ns = 100});
  EXPECT_TRUE(floors.has_taken_up(1));
}

// Three tasks were given to the dead rank, and it has not taken up one of them. It sent three
// messages, and the second was never read. Reports leave the rank out from now on: one task taken
// up, one message.
TEST_F(HostFloorsTest, ADeadRankHoldsNothing) {
  for (int i = 0; i < 2; ++i) floors.heard(1);
  for (int i = 0; i < 3; ++i) floors.given(1);
  floors.report(1, {.taken_up = 2, .least_ns = 100, .told = 2});
  floors.report(1, {.taken_up = 2, .least_ns = 200, .told = 3});
  EXPECT_FALSE(floors.has_taken_up(1));
  EXPECT_EQ(floors.least(1), 100);

  floors.forget(1, 2, 1);
  floors.report(1, {.taken_up = 1, .least_ns = 300, .told = 1});

  EXPECT_TRUE(floors.has_taken_up(1));
  EXPECT_EQ(floors.least(1), 300);
}

TEST_F(HostFloorsTest, ALostHostHoldsNoOther) {
  floors.given(1);
  floors.report(1, {.least_ns = 100});

  floors.lose(1);
  floors.report(1, {.least_ns = 200});  // it was on its way

  EXPECT_EQ(floors.least_of_others(0), PaceClock::kWallEnd);
  EXPECT_TRUE(floors.has_taken_up(1));
}

}  // namespace
}  // namespace mimus::emulator
