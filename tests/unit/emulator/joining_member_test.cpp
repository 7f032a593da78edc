// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/worker/joining_member.hpp"

#include <thread>

#include "emulator/live/messages/joining_messages.hpp"
#include "tests/unit/emulator/live_worker_fixture.hpp"

namespace mimus::emulator {
namespace {

struct JoiningMemberTest : LiveWorkerTest {
  StartMessage message = one_replica("resnet18", 32);

  JoiningMemberTest() {
    message.members_before = 1;
    context.cell.engine.stage_timeout = std::chrono::seconds{1};
    context.cell.engine.time_scale = 1e6;  // start-up takes no time
  }
  [[nodiscard]] bool joins() {
    Handover to{message, {}};
    const bool joined = await_gang(context, to);
    message = to.next;
    return joined;
  }
};

// A worker that is late in leaving its previous attempt finds the start and its cancellation
// together.
TEST_F(JoiningMemberTest, TakesTheWordThatCameWhileItWasInAnotherAttempt) {
  if (is_idle_rank()) return;
  context.inbox.push_back(envelope(CancelJoin{message.attempt}));

  EXPECT_FALSE(joins());

  EXPECT_TRUE(context.inbox.empty());
}

TEST_F(JoiningMemberTest, LeavesTheWordThatIsForALaterGang) {
  if (is_idle_rank()) return;
  context.inbox.push_back(envelope(CancelJoin{message.attempt}));
  context.inbox.push_back(envelope(StartMessage{}));
  context.inbox.push_back(envelope(CancelJoin{message.attempt + 1}));

  EXPECT_FALSE(joins());

  ASSERT_EQ(context.inbox.size(), 2U);
  EXPECT_EQ(context.inbox[0].kind, MessageKind::start_attempt);
  EXPECT_EQ(context.inbox[1].kind, MessageKind::cancel_join);
}

TEST_F(JoiningMemberTest, AJoinThatCameEarlySaysWhereAndWhenTheGangIs) {
  if (is_idle_rank()) return;
  context.inbox.push_back(
      envelope(JoinGang{.attempt = message.attempt, .at_ns = 7, .samples_done = 1234.0}));

  EXPECT_TRUE(joins());

  EXPECT_EQ(message.at_ns, 7);
  EXPECT_EQ(message.samples_done, 1234.0);
}

TEST_F(JoiningMemberTest, LeavesTheEndOfTheRunToTheWorker) {
  if (is_idle_rank()) return;
  mailbox.send(0, Shutdown{7});

  EXPECT_FALSE(joins());

  ASSERT_EQ(context.inbox.size(), 1U);
  EXPECT_EQ(decode<Shutdown>(context.inbox.front().bytes).exit_code, 7);
}

// Another worker of the gang has died. Rank 0 waits until this one confirms that it knows.
TEST_F(JoiningMemberTest, AbandonsAGangThatHasLostAWorker) {
  if (is_idle_rank()) return;
  mailbox.send(0, AbandonAttempt{.attempt = message.attempt - 1, .next = message.attempt});

  EXPECT_FALSE(joins());

  std::optional<Envelope> said;
  for (int i = 0; i < 100 && !said; ++i) said = mailbox.poll();
  ASSERT_TRUE(said.has_value());
  EXPECT_EQ(said->kind, MessageKind::attempt_abandoned);
  EXPECT_EQ(decode<AttemptAbandoned>(said->bytes).attempt, message.attempt - 1);
}

// The gang's step takes longer than any wait without known progress may.
TEST_F(JoiningMemberTest, WaitsForTheEndOfALongStep) {
  if (test_world().size() < 2) GTEST_SKIP() << "needs a gang on another rank";
  context.cell.engine.stage_timeout = std::chrono::milliseconds{50};
  if (is_idle_rank()) {
    std::this_thread::sleep_for(std::chrono::milliseconds{500});
    mailbox.send(0, JoinGang{.attempt = message.attempt, .samples_done = 5.0});
    (void)mailbox.flush(std::chrono::seconds{5});
    return;
  }
  EXPECT_TRUE(joins());
  EXPECT_EQ(message.samples_done, 5.0);
}

}  // namespace
}  // namespace mimus::emulator
