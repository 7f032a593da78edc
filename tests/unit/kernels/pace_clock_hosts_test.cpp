// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "pace_clock_fixture.hpp"

namespace mimus::kernels {
namespace {

/// The clock of a host whose wall clock is an hour behind that of member 0's host.
struct OtherHost : PaceClockTest {
  static constexpr Duration kOffset = std::chrono::hours{1};
  SharedMemory other_memory = SharedMemory::anonymous(PaceClock::bytes_needed(kMembers));
  PaceClock away = on_other_host(1);
  PaceClock beside = on_other_host(2);

  [[nodiscard]] PaceClock on_other_host(int own) const {
    const std::span bytes(static_cast<std::byte*>(other_memory.data()), other_memory.size());
    return {PaceClock::Kind::waiting, bytes, kMembers, own, true};
  }
  void SetUp() override { away.reset(kOffset); }
};

TEST_F(OtherHost, GoesNowhereBeforeTheOthersLetIt) {
  const WallInstant begin = away.now();
  EXPECT_LE(begin, wall_now() + kOffset);

  std::this_thread::sleep_for(milliseconds{2});
  EXPECT_EQ(away.now(), begin);
}

TEST_F(OtherHost, ShowsTheTimeOfMember0WithinWhatTheOthersLetIt) {
  const WallInstant there = wall_now() + kOffset + seconds{3};  // it was held for less time
  const WallInstant ceiling = there + milliseconds{1};
  away.follow(ceiling, there);
  EXPECT_GE(beside.now(), there);

  beside.follow(ceiling - milliseconds{1}, there);  // an older answer
  std::this_thread::sleep_for(milliseconds{2});
  EXPECT_EQ(beside.now(), ceiling);
}

// A more advanced member 0 does not take a host past its own members.
TEST_F(OtherHost, MembersHoldItAlsoWhereItIsBehindMember0) {
  const WallInstant begin = away.now();
  beside.promise(begin);

  away.follow(begin + seconds{1000}, begin + seconds{5});

  EXPECT_EQ(away.now(), begin + PaceClock::kWindow);
}

TEST_F(OtherHost, ReportsWhatItsMembersDoAndHaveSaid) {
  EXPECT_FALSE(away.report().works());
  const WallInstant at = away.now() + seconds{1};
  away.take_up(at);
  away.tell(at);

  const PaceClock::Report working{
      .taken_up = 1, .least_ns = at.time_since_epoch().count(), .told = 1};
  EXPECT_EQ(beside.report(), working);

  away.leave();  // member 0 waits for its messages and knows when it has read them
  EXPECT_FALSE(beside.report().works());
}

TEST_F(OtherHost, LeavesTheDeadOutOfItsReports) {
  const WallInstant at = away.now() + seconds{1};
  away.take_up(at);
  away.tell(at);
  beside.take_up(at + seconds{1});

  beside.forget(1);

  EXPECT_EQ(
      beside.report(),
      (PaceClock::Report{
          .taken_up = 1, .least_ns = (at + seconds{1}).time_since_epoch().count(), .told = 0}));
}

TEST_F(OtherHost, OneRankAtATimeSpeaksForIt) {
  EXPECT_TRUE(away.claim_report(std::chrono::minutes{1}));
  EXPECT_FALSE(beside.claim_report(std::chrono::minutes{1}));
  std::this_thread::sleep_for(milliseconds{1});
  EXPECT_TRUE(beside.claim_report(milliseconds{1}));
}

TEST_F(OtherHost, Member0HoldsItsClockUntilWorkOnTheOtherHostIsSettled) {
  const WallInstant at = wall_now() - kAge;
  first.assign(1, at);
  EXPECT_EQ(first.now(), at + PaceClock::kWindow);

  first.set_ceiling(at + milliseconds{5});
  first.settle(1);

  std::this_thread::sleep_for(milliseconds{5});
  EXPECT_EQ(first.now(), at + milliseconds{5});
}

}  // namespace
}  // namespace mimus::kernels
