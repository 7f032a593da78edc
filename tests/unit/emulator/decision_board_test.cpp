// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/host/decision_board.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

using kernels::PaceClock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kRanks = 3;

/// Rank 0 and two workers of its host.
struct DecisionBoardTest : testing::Test {
  std::vector<std::byte> clock_memory = std::vector<std::byte>(PaceClock::bytes_needed(kRanks));
  std::vector<std::byte> memory = std::vector<std::byte>(DecisionBoard::bytes_needed(kRanks));
  PaceClock first{PaceClock::Kind::unbound, clock_memory, kRanks, 1};
  PaceClock second{PaceClock::Kind::unbound, clock_memory, kRanks, 2};
  DecisionBoard board{memory, kRanks, false};

  DecisionBoardTest() {
    first.reset();
    board.reset();
  }
  static WallInstant at(int ms) { return WallInstant{seconds{100} + milliseconds{ms}}; }
};

TEST_F(DecisionBoardTest, IsSettledAsFarAsWorkersHaveToldAndRank0HasDecided) {
  first.promise(at(50));
  second.promise(at(40));
  EXPECT_EQ(board.settled(first), WallInstant{});  // rank 0 has decided nothing

  board.open_from(at(1000));
  EXPECT_EQ(board.settled(first), at(40) - PaceClock::kHaveTold);

  board.open_from(at(20));  // an event of then waits for the workers to have told all before it
  EXPECT_EQ(board.settled(first), at(20));
}

// Rank 0 reads the message before it acts on it: the board must not look settled in between.
TEST_F(DecisionBoardTest, StaysOpenFromTheInstantOfAMessageThatIsReadButNotActedOn) {
  board.open_from(WallInstant::max());
  first.promise(at(50));
  second.promise(at(50));
  second.tell(at(10));
  EXPECT_EQ(board.settled(first), at(10) - PaceClock::kHaveTold);

  board.reopen_from(at(10));
  first.heard(2);
  EXPECT_EQ(board.settled(first), at(10));

  board.reopen_from(at(15));  // a later one does not close it
  EXPECT_EQ(board.settled(first), at(10));
}

TEST_F(DecisionBoardTest, CountsTheCommandsToEachRanksPresentAttempt) {
  board.sent(1, 7, 1);
  board.sent(1, 7, 2);
  EXPECT_EQ(board.commands_to(1, 7), 2);
  EXPECT_EQ(board.commands_to(2, 7), 0);
  EXPECT_EQ(board.commands_to(1, 8), 0);  // its successor has been sent none

  board.sent(1, 8, 1);
  EXPECT_EQ(board.commands_to(1, 8), 1);
  EXPECT_EQ(board.commands_to(1, 7), 0);
}

// Two members of a host may read rank 0's answers in another order than they were sent.
TEST_F(DecisionBoardTest, OnAnotherHostGoesByTheLatestAnswer) {
  DecisionBoard away(memory, kRanks, true);
  board.sent(1, 7, 2);
  const std::int64_t later = board.last_command(1);
  board.reset();

  away.follow_command(1, later);
  away.follow(at(30));
  away.follow_command(1, 0);
  away.follow(at(20));

  first.promise(at(500));  // rank 0 knows of other hosts, too, and this host's clock does not
  EXPECT_EQ(away.settled(first), at(30));
  EXPECT_EQ(away.commands_to(1, 7), 2);
}

}  // namespace
}  // namespace mimus::emulator
