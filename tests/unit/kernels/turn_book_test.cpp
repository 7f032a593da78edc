// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/turn_book.hpp"

#include <algorithm>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "base/shared_memory.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;
constexpr int kTurnLanes = 4;

WallInstant turn_ms(double ms) {
  return WallInstant{milliseconds{1'000'000}} + Duration{static_cast<std::int64_t>(ms * 1e6)};
}

/// Two GPUs of four lanes.
struct BookOfTurns {
  SharedMemory memory = SharedMemory::anonymous(TurnBook::bytes_needed(2, 2 * kTurnLanes));
  std::span<std::byte> bytes{static_cast<std::byte*>(memory.data()), memory.size()};
  TurnBook book{bytes, 2, 2 * kTurnLanes};

  [[nodiscard]] static TurnSeat seat(int lane, int gpu = 0) {
    const int first = gpu * kTurnLanes;
    return {.gpu = gpu, .first_lane = first, .lanes = kTurnLanes, .lane = first + lane};
  }
};

struct TurnBookTest : testing::Test, BookOfTurns {
  void ask(int lane, double at_ms, double slice_ms = 2, double switching = 0.0) {
    const Duration slice = turn_ms(slice_ms) - turn_ms(0);
    book.ask(seat(lane), {turn_ms(at_ms), slice, slice, switching});
  }
  [[nodiscard]] bool granted(int lane) { return book.look(seat(lane)).granted; }
  [[nodiscard]] WallInstant begin(int lane) { return book.look(seat(lane)).begin; }
};

TEST_F(TurnBookTest, AloneATurnBeginsWhenItCan) {
  ask(0, 10);

  EXPECT_TRUE(granted(0));
  EXPECT_EQ(begin(0), turn_ms(10));
  ask(0, 30);
  EXPECT_EQ(begin(0), turn_ms(30));
}

// The order of requests in wall time does not matter.
TEST_F(TurnBookTest, WhoCouldBeginFirstGoesFirst) {
  book.quiet_until(seat(0), turn_ms(0));
  book.quiet_until(seat(1), turn_ms(0));
  ask(1, 101);
  EXPECT_FALSE(granted(1));
  ask(0, 100);
  EXPECT_EQ(begin(0), turn_ms(100));
  EXPECT_EQ(begin(1), turn_ms(102));

  ask(0, 200);
  EXPECT_FALSE(granted(0));
  ask(1, 201);
  EXPECT_EQ(begin(0), turn_ms(200));
  EXPECT_EQ(begin(1), turn_ms(202));
}

TEST_F(TurnBookTest, OfTwoWhoCouldBeginTogetherTheLowerLaneGoesFirst) {
  book.quiet_until(seat(0), turn_ms(10));
  ask(1, 10);
  EXPECT_FALSE(granted(1));  // the lower lane may yet ask for the same instant

  ask(0, 10);

  EXPECT_EQ(begin(0), turn_ms(10));
  EXPECT_EQ(begin(1), turn_ms(12));
}

TEST_F(TurnBookTest, ALowerLaneNeedNotWaitForAHigherOneThatIsQuietUntilThen) {
  book.quiet_until(seat(1), turn_ms(10));

  ask(0, 10);

  EXPECT_TRUE(granted(0));
}

TEST_F(TurnBookTest, WaitsForWhoIsBehindUntilItSaysHowFarItIs) {
  book.quiet_until(seat(0), turn_ms(3));
  ask(1, 10);
  EXPECT_FALSE(granted(1));
  EXPECT_EQ(begin(1), turn_ms(10));  // not earlier

  book.quiet_until(seat(0), turn_ms(9));
  EXPECT_FALSE(granted(1));
  book.quiet_until(seat(0), turn_ms(11));
  EXPECT_TRUE(granted(1));
}

TEST_F(TurnBookTest, WhoHasLeftHoldsUpNobody) {
  book.quiet_until(seat(0), turn_ms(3));
  ask(1, 10);
  EXPECT_FALSE(granted(1));

  book.leave(seat(0));

  EXPECT_TRUE(granted(1));
}

TEST_F(TurnBookTest, NeitherDoTenantsOfOtherGpus) {
  book.quiet_until(seat(0, 1), turn_ms(3));

  ask(1, 10);

  EXPECT_TRUE(granted(1));
}

TEST_F(TurnBookTest, ATurnThatHasToWaitCostsASwitch) {
  ask(0, 10, 2, 0.1);
  EXPECT_EQ(begin(0), turn_ms(10));

  ask(1, 11, 2, 0.1);

  EXPECT_EQ(begin(1), turn_ms(12.2));
}

TEST_F(TurnBookTest, AGpuThatIsForgottenLeavesNobodyToWaitFor) {
  book.quiet_until(seat(0, 1), turn_ms(3));
  book.quiet_until(seat(0), turn_ms(3));
  ask(1, 10);

  book.forget_gpu(1);
  EXPECT_FALSE(granted(1));
  book.forget_gpu(0);

  EXPECT_TRUE(granted(1));  // forgotten, too: who serves it is to be abandoned, and hangs nowhere
}

/// A tenant that takes turns of different lengths with pauses in between, and is polled at random
/// times.
class LoopingTenant {
 public:
  LoopingTenant(TurnBook& book, TurnSeat seat)
      : book_(book), seat_(seat), lengths_(static_cast<std::uint64_t>(seat.lane), "lengths") {
    book_.quiet_until(seat_, next_);
  }

  void look() {
    if (!waits_) {
      slice_ = milliseconds{1 + lengths_.below(2)};
      book_.ask(seat_, {next_, slice_, slice_, 0.1});
    }
    const TurnBook::Turn turn = book_.look(seat_);
    waits_ = !turn.granted;
    if (waits_) return;
    turns_.push_back(turn.begin);
    // As a tenant that sometimes waits for its gang.
    next_ = turn.begin + slice_ + milliseconds{lengths_.below(4) == 0 ? 3 : 0};
    book_.quiet_until(seat_, next_);
  }
  [[nodiscard]] const std::vector<WallInstant>& turns() const { return turns_; }

 private:
  TurnBook& book_;
  TurnSeat seat_;
  RandomStream lengths_;
  WallInstant next_ = turn_ms(0);
  Duration slice_{};
  bool waits_ = false;
  std::vector<WallInstant> turns_;
};

std::vector<std::vector<WallInstant>> turns_of_tenants(std::uint64_t seed, std::size_t turns) {
  BookOfTurns all;
  std::vector<LoopingTenant> tenants;
  tenants.reserve(kTurnLanes);
  for (int lane = 0; lane < kTurnLanes; ++lane) {
    tenants.emplace_back(all.book, BookOfTurns::seat(lane));
  }
  RandomStream order(seed, "order");
  const auto done = [&](const LoopingTenant& one) { return one.turns().size() >= turns; };
  while (!std::all_of(tenants.begin(), tenants.end(), done)) {
    tenants[static_cast<std::size_t>(order.below(kTurnLanes))].look();
  }
  std::vector<std::vector<WallInstant>> out;
  for (const LoopingTenant& one : tenants) {
    out.emplace_back(one.turns().begin(), one.turns().begin() + static_cast<long>(turns));
  }
  return out;
}

TEST(TurnBook, TurnsAreTheSameInWhateverOrderTenantsAreLookedAt) {
  const auto turns = turns_of_tenants(1, 200);
  for (std::uint64_t seed = 2; seed < 20; ++seed) EXPECT_EQ(turns_of_tenants(seed, 200), turns);
}

TEST_F(TurnBookTest, TurnsOfManyThreadsNeverOverlap) {
  constexpr int kEach = 500;
  std::vector<LoopingTenant> tenants;
  tenants.reserve(kTurnLanes);
  for (int lane = 0; lane < kTurnLanes; ++lane) tenants.emplace_back(book, seat(lane));
  std::vector<std::thread> threads;
  for (int lane = 0; lane < kTurnLanes; ++lane) {
    threads.emplace_back([&, lane] {
      LoopingTenant& own = tenants[static_cast<std::size_t>(lane)];
      while (own.turns().size() < kEach) own.look();
      book.leave(seat(lane));
    });
  }
  for (auto& thread : threads) thread.join();

  std::vector<WallInstant> all;
  for (const auto& one : tenants) all.insert(all.end(), one.turns().begin(), one.turns().end());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_GE(all[i], all[i - 1] + milliseconds{1});
}

TEST_F(TurnBookTest, SurvivesATenantThatIsKilled) {
  const pid_t child = ::fork();
  if (child == 0) {
    while (true) book.quiet_until(seat(0), turn_ms(5));
  }
  std::this_thread::sleep_for(milliseconds{20});
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);

  book.quiet_until(seat(1), turn_ms(1));  // the lock is free
  book.forget_gpu(0);
  ask(1, 10);
  EXPECT_TRUE(granted(1));
}

}  // namespace
}  // namespace mimus::kernels
