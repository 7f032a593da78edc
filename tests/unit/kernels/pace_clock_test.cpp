// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/pace_clock.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "pace_clock_fixture.hpp"

namespace mimus::kernels {
namespace {

TEST_F(PaceClockTest, RunsWithTheWallClockWhileNobodyWorks) {
  first.reset();

  const WallInstant before = wall_now();
  const WallInstant now = first.now();

  EXPECT_GE(now, before);
  EXPECT_LE(now, wall_now());
  EXPECT_EQ(first.held(), Duration{});
}

TEST_F(PaceClockTest, GoesNoFurtherThanTheSlowestMemberAndAWindow) {
  const WallInstant past = wall_now() - kAge;
  first.promise(past + seconds{2});
  second.promise(past);

  EXPECT_EQ(third.now(), past + PaceClock::kWindow);
  EXPECT_EQ(third.slowest(), 1);
  EXPECT_GE(third.held(), kAge - PaceClock::kWindow);
}

TEST_F(PaceClockTest, KnowsHowFarTheOthersAreAndWhatTheyHaveToldThatIsNotHeard) {
  const WallInstant past = wall_now() - kAge;
  EXPECT_EQ(first.least_of_workers(), WallInstant::max());
  first.promise(past);
  second.promise(past + seconds{1});
  third.promise(past + seconds{2});
  EXPECT_EQ(first.least_of_workers(), past + seconds{1});

  third.tell(past + milliseconds{500});
  EXPECT_EQ(first.least_of_workers(), past + milliseconds{500});
  first.heard(2);
  EXPECT_EQ(first.least_of_workers(), past + seconds{1});
}

TEST_F(PaceClockTest, GoesOnFromWhereItWasHeldAndNotFromTheWallClock) {
  const WallInstant past = wall_now() - kAge;
  first.promise(past);
  ASSERT_EQ(first.now(), past + PaceClock::kWindow);

  first.promise(past + seconds{1000});  // far more than this test takes
  const WallInstant now = first.now();

  EXPECT_GE(now, past + PaceClock::kWindow);
  EXPECT_LT(now, past + seconds{1000});
}

TEST_F(PaceClockTest, IsTheSameForAllWhoReadIt) {
  const WallInstant past = wall_now() - kAge;
  second.promise(past);

  EXPECT_EQ(first.now(), third.now());
}

TEST_F(PaceClockTest, WaitsForAMemberUntilItTakesUpWhatItWasGiven) {
  const WallInstant at = wall_now() - kAge;
  first.assign(2, at);

  EXPECT_EQ(first.now(), at + PaceClock::kWindow);
  EXPECT_EQ(first.slowest(), 2);

  third.take_up(at);
  third.promise(at + seconds{1000});
  EXPECT_EQ(first.slowest(), 2);  // it works now
  third.leave();
  EXPECT_EQ(first.slowest(), std::nullopt);
}

// Rank 0 gives a lane its next work when it hears that the last work is done. The worker may not
// have left that work yet.
TEST_F(PaceClockTest, WhatIsAssignedIsNotLostToAMemberThatLeavesEarlierWork) {
  const WallInstant at = wall_now() - kAge;
  third.take_up(at - seconds{1});
  first.assign(2, at);
  third.leave();

  EXPECT_EQ(first.now(), at + PaceClock::kWindow);
}

// A message sent a second ago is not forgotten because its sender has nothing to do.
TEST_F(PaceClockTest, WaitsUntilTheSchedulerHasHeardWhatItIsTold) {
  const WallInstant at = wall_now() - kAge;
  second.take_up(at - seconds{1});
  second.tell(at);
  second.tell(at + milliseconds{1});
  second.leave();

  EXPECT_EQ(first.now(), at + PaceClock::kWindow);
  first.heard(1);
  EXPECT_EQ(first.slowest(), 1);  // of two messages
  first.heard(1);
  EXPECT_EQ(first.slowest(), std::nullopt);
}

TEST_F(PaceClockTest, DoesNotWaitForTheDead) {
  const pid_t child = ::fork();
  if (child == 0) {
    PaceClock own = clock(1);
    for (int i = 0;; ++i) own.promise(WallInstant{seconds{1} + Duration{i}});
  }
  while (first.slowest() != 1) std::this_thread::yield();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(first.slowest(), 1);

  first.assign(1, wall_now());
  first.forget(1);

  EXPECT_EQ(first.slowest(), std::nullopt);
}

TEST_F(PaceClockTest, SaysHowLongItHasStoodStill) {
  first.promise(wall_now() - kAge);
  (void)first.now();
  ASSERT_EQ(first.stuck(), Duration{});

  std::this_thread::sleep_for(milliseconds{2});
  (void)first.now();
  EXPECT_GE(first.stuck(), milliseconds{2});

  first.leave();
  (void)first.now();
  EXPECT_EQ(first.stuck(), Duration{});
}

TEST_F(PaceClockTest, NapsThoughTheClockIsHeldByOthers) {
  const WallInstant past = wall_now() - kAge;
  second.promise(past);
  const WallInstant now = first.now();

  first.nap_until(now + milliseconds{1});  // ends; otherwise a poller would not see its messages

  EXPECT_EQ(first.now(), now);
}

TEST_F(PaceClockTest, TheWallClockWaitsForNobody) {
  PaceClock wall;
  second.promise(wall_now() - kAge);

  const WallInstant before = wall_now();
  wall.promise(before - kAge);
  wall.assign(1, before - kAge);

  EXPECT_GE(wall.now(), before);
  EXPECT_EQ(wall.held(), Duration{});
}

struct UnboundClock : PaceClockTest {
  PaceClock scheduler = clock(0, PaceClock::Kind::unbound);
  PaceClock worker = clock(1, PaceClock::Kind::unbound);
  void SetUp() override { scheduler.reset(); }
};

// An hour of emulated time takes as long as the members need to promise it.
TEST_F(UnboundClock, GoesAsFarAsItsMembersLetItWithoutTheWallClock) {
  const WallInstant begin = scheduler.now();
  scheduler.promise(begin + std::chrono::hours{1});
  worker.promise(begin + std::chrono::hours{2});

  EXPECT_EQ(worker.now(), begin + std::chrono::hours{1} + PaceClock::kWindow);
  EXPECT_EQ(scheduler.slowest(), 0);
  EXPECT_EQ(scheduler.held(), Duration{});  // it is never held back, nor does it run
}

// A transfer may turn out to end at the clock's present instant, and wait for groups that are
// behind.
TEST_F(UnboundClock, IsHeldNoFurtherBackThanWhereWhoIsBehindHasSomethingToDo) {
  const WallInstant begin = scheduler.now();
  const WallInstant due = begin + PaceClock::kWindow / 2;
  worker.promise(begin);
  ASSERT_GT(worker.now(), due);

  worker.nap_until(due);

  EXPECT_EQ(scheduler.now(), due + PaceClock::kWindow);
}

TEST_F(UnboundClock, StandsStillWhereNobodyWorks) {
  const WallInstant begin = scheduler.now();
  std::this_thread::sleep_for(milliseconds{2});
  EXPECT_EQ(worker.now(), begin);

  scheduler.promise(begin + seconds{1});
  const WallInstant reached = worker.now();
  scheduler.leave();
  EXPECT_EQ(worker.now(), reached);  // and never goes back
}

// A worker that leaves the previous cell promises to look again at a time of that cell's clock.
TEST_F(UnboundClock, DoesNotJumpToWhatWasPromisedBeforeItBeganAgain) {
  const WallInstant before = scheduler.now() + std::chrono::hours{1};
  scheduler.promise(before);
  ASSERT_GE(worker.now(), before);

  scheduler.reset();
  const WallInstant begin = scheduler.now();
  worker.promise(before + milliseconds{1});
  EXPECT_LE(worker.now(), begin + milliseconds{1} + PaceClock::kWindow);
}

TEST_F(UnboundClock, DoesNotNapWhereNobodyIsBehind) {
  const WallInstant begin = scheduler.now();

  scheduler.nap_until(begin + std::chrono::hours{1});

  EXPECT_GE(scheduler.now(), begin + std::chrono::hours{1});
}

TEST_F(UnboundClock, GoesWithTheWallClockWhileAMessageIsAwaited) {
  const WallInstant wall = wall_now();
  const WallInstant begin = scheduler.now();
  scheduler.promise(begin);
  for (WallInstant now = begin; now < begin + milliseconds{50}; now = scheduler.now()) {
    scheduler.nap_for_message(now + std::chrono::microseconds{100});
  }

  EXPECT_GE(wall_now() - wall, milliseconds{50} - PaceClock::kWindow);
}

// The promise of each member: when it has worked up to an instant, no other one is further than
// this promise and the window.
TEST_F(PaceClockTest, MembersThatWorkAtOnceStayTogether) {
  constexpr Duration kStep = std::chrono::microseconds{500};
  constexpr int kSteps = 200;
  first.reset();
  const WallInstant begin = first.now();
  std::vector<std::atomic<std::int64_t>> worked(kMembers);  // ns since begin
  std::atomic<int> ahead{0};
  for (auto& each : worked) each = 0;
  for (int own = 0; own < kMembers; ++own) clock(own).promise(begin);

  std::vector<std::thread> threads;
  for (int own = 0; own < kMembers; ++own) {
    threads.emplace_back([&, own] {
      PaceClock mine = clock(own);
      WallInstant last = mine.now();
      for (int i = 1; i <= kSteps; ++i) {
        const WallInstant due = begin + i * kStep;
        for (WallInstant now = mine.now(); now < due; now = mine.now()) {
          ahead += now < last ? 1 : 0;
          last = now;
          std::int64_t least = worked.front();
          for (const auto& each : worked) least = std::min(least, each.load());
          // Read after the clock, so it can only have grown. A step is promised before it is done.
          const Duration limit = Duration{least} + kStep + PaceClock::kWindow;
          ahead += now - begin > limit ? 1 : 0;
          mine.nap_until(due);
        }
        if (own == 1 && i % 50 == 0) std::this_thread::sleep_for(milliseconds{8});  // falls behind
        worked[static_cast<std::size_t>(own)] = (due - begin).count();
      }
      worked[static_cast<std::size_t>(own)] = kAge.count();
      mine.leave();
    });
  }
  for (auto& thread : threads) thread.join();

  EXPECT_EQ(ahead, 0);
  // At the fourth time, near the end, the others may have left already.
  EXPECT_GE(first.held(), 3 * (milliseconds{8} - PaceClock::kWindow - kStep));
}

}  // namespace
}  // namespace mimus::kernels
