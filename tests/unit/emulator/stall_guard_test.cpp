// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/stall_guard.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

/// Two jobs that are stopped for each other, one attempt after another.
struct Rotation {
  StallGuard guard;
  int attempt = 0;

  void start() { guard.started(AttemptId{++attempt}); }
  /// Whether the run stalls before `attempts` attempts have ended while `others` run.
  bool stalls_within(std::size_t attempts, std::size_t others = 0) {
    for (std::size_t i = 0; i < attempts; ++i) {
      start();
      if (guard.ended_without_gain(AttemptId{attempt}, others, 2)) return true;
    }
    return false;
  }
};

TEST(StallGuard, NoticesAPolicyThatStartsNothing) {
  StallGuard guard;
  const auto idle = [&](std::size_t times) {
    bool stalls = false;
    for (std::size_t i = 0; i < times; ++i) stalls = guard.decided(true);
    return stalls;
  };
  EXPECT_FALSE(idle(StallGuard::kIdleDecisions - 1));
  EXPECT_FALSE(guard.decided(false));
  EXPECT_FALSE(idle(StallGuard::kIdleDecisions - 1));
  EXPECT_TRUE(idle(1));
}

TEST(StallGuard, NoticesARotationThatGainsNothing) {
  Rotation rotation;
  EXPECT_FALSE(rotation.stalls_within(StallGuard::patience(2) - 1));
  EXPECT_TRUE(rotation.stalls_within(1));
}

TEST(StallGuard, AnyGainBeginsAnew) {
  Rotation rotation;
  EXPECT_FALSE(rotation.stalls_within(StallGuard::patience(2) - 1));
  rotation.guard.gained();
  EXPECT_FALSE(rotation.stalls_within(StallGuard::patience(2) - 1));
}

// It may be training and will end at some time.
TEST(StallGuard, AnAttemptThatLastsIsNoStall) {
  Rotation rotation;
  rotation.start();
  const AttemptId lasting{rotation.attempt};
  EXPECT_FALSE(rotation.stalls_within(3 * StallGuard::patience(2), 1));
  EXPECT_FALSE(rotation.guard.ended_without_gain(lasting, 0, 2));
  EXPECT_TRUE(rotation.stalls_within(2 * StallGuard::patience(2)));
}

}  // namespace
}  // namespace mimus::emulator
