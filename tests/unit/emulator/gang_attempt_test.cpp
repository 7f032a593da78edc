// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang_attempt.hpp"

#include <vector>

#include "tests/unit/emulator/live_worker_fixture.hpp"

namespace mimus::emulator {
namespace {

struct GangAttemptTest : LiveWorkerTest {
  /// All that the attempt has said to rank 0.
  std::vector<MessageKind> said() {
    std::vector<MessageKind> kinds;
    while (const auto envelope = mailbox.poll()) kinds.push_back(envelope->kind);
    return kinds;
  }
};

// Rank 0 says it when the lead has reported the end; other members may still be leaving.
TEST_F(GangAttemptTest, EndsInGoodOrderWhenTheRunEndsMeanwhile) {
  if (is_idle_rank()) return;
  mailbox.send(0, Shutdown{0});

  EXPECT_FALSE(GangAttempt(context, one_replica("resnet18", 32)).run().has_value());

  ASSERT_EQ(context.inbox.size(), 1U);
  EXPECT_EQ(context.inbox.front().kind, MessageKind::shutdown);
  EXPECT_EQ(said().back(), MessageKind::attempt_ended);
}

}  // namespace
}  // namespace mimus::emulator
