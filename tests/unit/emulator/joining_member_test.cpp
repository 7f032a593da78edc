// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/joining_member.hpp"

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
};

// A worker that is late to leave its last attempt finds the start and its cancellation together.
TEST_F(JoiningMemberTest, TakesTheWordThatCameWhileItWasInAnotherAttempt) {
  if (is_idle_rank()) return;
  context.inbox.push_back(envelope(CancelJoin{message.attempt}));

  EXPECT_FALSE(await_gang(context, message));

  EXPECT_TRUE(context.inbox.empty());
}

TEST_F(JoiningMemberTest, LeavesTheWordThatIsForALaterGang) {
  if (is_idle_rank()) return;
  context.inbox.push_back(envelope(CancelJoin{message.attempt}));
  context.inbox.push_back(envelope(StartMessage{}));
  context.inbox.push_back(envelope(CancelJoin{message.attempt + 1}));

  EXPECT_FALSE(await_gang(context, message));

  ASSERT_EQ(context.inbox.size(), 2U);
  EXPECT_EQ(context.inbox[0].kind, MessageKind::start_attempt);
  EXPECT_EQ(context.inbox[1].kind, MessageKind::cancel_join);
}

TEST_F(JoiningMemberTest, AJoinThatCameEarlySaysWhereTheGangIs) {
  if (is_idle_rank()) return;
  context.inbox.push_back(envelope(JoinGang{message.attempt, 1234.0}));

  EXPECT_TRUE(await_gang(context, message));

  EXPECT_EQ(message.samples_done, 1234.0);
}

TEST_F(JoiningMemberTest, LeavesTheEndOfTheRunToTheWorker) {
  if (is_idle_rank()) return;
  mailbox.send(0, Shutdown{7});

  EXPECT_FALSE(await_gang(context, message));

  ASSERT_EQ(context.inbox.size(), 1U);
  EXPECT_EQ(decode<Shutdown>(context.inbox.front().bytes).exit_code, 7);
}

}  // namespace
}  // namespace mimus::emulator
