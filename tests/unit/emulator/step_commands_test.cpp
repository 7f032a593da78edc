// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/step_commands.hpp"

#include "tests/unit/emulator/live_worker_fixture.hpp"

namespace mimus::emulator {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kStep = 5;

/// A member of attempt 4 in a step of 100 ms. Commands that were decided 5 ms before its end, or
/// earlier, are to take effect there: by then rank 0 has heard everything (2 ms), an agreement
/// takes 2 ms, and clocks may be 1 ms ahead of promises.
struct StepCommandsTest : LiveWorkerTest {
  StartMessage message = one_replica("resnet18", 128);
  GangCommands commands{message.attempt};
  DecisionBoard board = host.decisions();
  WallInstant begin = wall_now();

  StepCommandsTest() {
    context.clock = host.clock(kernels::PaceClock::Kind::unbound);
    if (is_idle_rank()) return;
    context.clock.reset();
    board.reset();
  }
  ~StepCommandsTest() override {
    if (!is_idle_rank()) board.reset();
  }
  [[nodiscard]] StepCommands step() {
    StepCommands out(context, message, commands);
    out.begin(kStep, begin, milliseconds{100});
    return out;
  }
  [[nodiscard]] std::int64_t after(int ms) const {
    return context.world_ns(begin + milliseconds{ms});
  }
  /// Rank 0 has decided it `ms` after the step's begin; it arrives later.
  void is_sent(std::int64_t number) { board.sent(0, message.attempt, number); }
  void arrives(std::int64_t number, int ms) {
    EXPECT_TRUE(commands.take(envelope(
        SuspendMessage{.attempt = message.attempt, .number = number, .decided_ns = after(ms)})));
  }
};

TEST_F(StepCommandsTest, AreSaidOnlyWhenRank0HasDecidedAndTheyHaveArrived) {
  if (is_idle_rank()) return;
  StepCommands member = step();
  board.open_from(begin + milliseconds{95});
  EXPECT_FALSE(member.known(begin).has_value());

  is_sent(1);
  board.open_from(begin + milliseconds{96});
  EXPECT_FALSE(member.known(begin).has_value());  // it is on its way

  arrives(1, 95);
  EXPECT_EQ(member.known(begin), 1);
}

TEST_F(StepCommandsTest, LeaveOutWhatWasDecidedTooLateHoweverEarlyItArrives) {
  if (is_idle_rank()) return;
  StepCommands member = step();
  is_sent(1);
  is_sent(2);
  arrives(2, 96);
  arrives(1, 95);
  board.open_from(begin + milliseconds{500});

  EXPECT_EQ(member.known(begin), 1);
}

// Another member's step, or its own, was 20 ms shorter than they expected.
TEST_F(StepCommandsTest, GoByTheEndOfTheMemberThatEndsFirst) {
  if (is_idle_rank()) return;
  arrives(1, 74);
  arrives(2, 76);
  board.open_from(begin + milliseconds{500});
  EXPECT_EQ(step().known(begin), 2);

  StepCommands own = step();
  own.end(begin + milliseconds{80});
  EXPECT_EQ(own.known(begin), 1);

  EXPECT_TRUE(commands.take(
      envelope(CommandLimit{.attempt = message.attempt, .step = kStep, .decided_ns = after(73)})));
  EXPECT_EQ(step().known(begin), 0);
}

// Without a clock that waits, a command must have been decided 8 ms before the end of a long step.
TEST_F(StepCommandsTest, AreThoseThatArriveInTimeIfNothingWaitsForTheHost) {
  if (is_idle_rank()) return;
  context.clock = {};
  arrives(1, 92);
  arrives(2, 93);
  StepCommands member = step();
  EXPECT_FALSE(member.known(begin + milliseconds{97}).has_value());
  EXPECT_EQ(member.known(begin + milliseconds{98}), 1);

  StepCommands short_step(context, message, commands);
  short_step.begin(kStep, begin, milliseconds{5});
  EXPECT_EQ(short_step.known(begin), 2);
}

}  // namespace
}  // namespace mimus::emulator
