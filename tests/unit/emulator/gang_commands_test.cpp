// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/gang_commands.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

constexpr std::int64_t kAttempt = 4;

template <class Message>
Envelope envelope(const Message& message) {
  return {.source = 0, .kind = Message::kKind, .bytes = encode(message)};
}

Envelope stop(std::int64_t attempt, std::int64_t number) {
  return envelope(StopMessage{.attempt = attempt, .number = number, .checkpoint = true});
}

Envelope retune(std::int64_t number, std::int64_t batch) {
  return envelope(RetuneMessage{
      .attempt = kAttempt, .number = number, .batch = {.per_gpu = batch, .accumulation = 1}});
}

// The second command comes first, and only the first has reached all members.
TEST(GangCommands, AreAppliedInTheOrderOfTheirNumbersUpToWhatAllHave) {
  GangCommands commands(kAttempt);
  EXPECT_TRUE(commands.take(stop(kAttempt, 2)));
  EXPECT_TRUE(commands.take(retune(1, 64)));
  EXPECT_EQ(commands.last(), 2);

  const auto first = commands.next(1);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->kind, GangCommand::Kind::retune);
  EXPECT_EQ(first->batch.per_gpu, 64);
  EXPECT_FALSE(commands.next(1).has_value());

  const auto second = commands.next(2);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->kind, GangCommand::Kind::stop);
  EXPECT_TRUE(second->checkpoint);
  EXPECT_FALSE(commands.next(2).has_value());
}

TEST(GangCommands, AreTakenUpByWhenTheyWereDecided) {
  GangCommands commands(kAttempt);
  EXPECT_EQ(commands.decided_by(1000), 0);
  EXPECT_TRUE(commands.take(
      envelope(ReadMessage{.attempt = kAttempt, .number = 1, .samples_per_second = 8.0})));
  EXPECT_TRUE(
      commands.take(envelope(SuspendMessage{.attempt = kAttempt, .number = 2, .decided_ns = 500})));

  EXPECT_TRUE(
      commands.take(envelope(SaveMessage{.attempt = kAttempt, .number = 3, .decided_ns = 700})));

  EXPECT_EQ(commands.decided_by(499), 1);
  EXPECT_EQ(commands.decided_by(500), 2);
  EXPECT_EQ(commands.decided_by(700), 3);

  EXPECT_TRUE(commands.next(1).has_value());
  EXPECT_EQ(commands.decided_by(0), 1);
}

// The second has come first, and nothing is known of the first.
TEST(GangCommands, AreCompleteOnlyUpToTheFirstThatIsMissing) {
  GangCommands commands(kAttempt);
  EXPECT_TRUE(commands.take(stop(kAttempt, 2)));
  EXPECT_EQ(commands.complete(), 0);
  EXPECT_TRUE(commands.take(retune(1, 64)));
  EXPECT_EQ(commands.complete(), 2);
}

TEST(GangCommands, AreLimitedByTheEarliestLimitOfTheSameStep) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  GangCommands commands(kAttempt);
  EXPECT_EQ(commands.decided_limit(3), kNone);
  for (const std::int64_t decided_ns : {500, 400, 450}) {
    EXPECT_TRUE(commands.take(envelope(CommandLimit{kAttempt, 3, decided_ns})));
  }
  EXPECT_TRUE(commands.take(envelope(CommandLimit{kAttempt, 2, 100})));  // of a step that is over
  EXPECT_EQ(commands.decided_limit(3), 400);
  EXPECT_EQ(commands.decided_limit(4), kNone);

  EXPECT_TRUE(commands.take(envelope(CommandLimit{kAttempt, 4, 900})));
  EXPECT_EQ(commands.decided_limit(4), 900);
  EXPECT_FALSE(commands.take(envelope(CommandLimit{kAttempt + 1, 5, 100})));
}

TEST(GangCommands, ASuspendedGangSeesWhatComesNextAndWhen) {
  GangCommands commands(kAttempt);
  EXPECT_TRUE(commands.take(envelope(SuspendMessage{kAttempt, 1})));
  ASSERT_TRUE(commands.next(1).has_value());
  EXPECT_EQ(commands.applied(), 1);
  EXPECT_EQ(commands.peek(), nullptr);

  EXPECT_TRUE(commands.take(envelope(ResumeMessage{kAttempt, 2, 700})));

  ASSERT_NE(commands.peek(), nullptr);
  EXPECT_EQ(commands.peek()->kind, GangCommand::Kind::resume);
  EXPECT_EQ(commands.peek()->at_ns, 700);
}

TEST(GangCommands, ToAnotherAttemptAreLeftToIt) {
  GangCommands commands(kAttempt);
  EXPECT_FALSE(commands.take(stop(kAttempt + 1, 1)));
  EXPECT_EQ(commands.last(), 0);
  EXPECT_FALSE(commands.take(envelope(AttemptAlive{kAttempt})));
}

}  // namespace
}  // namespace mimus::emulator
