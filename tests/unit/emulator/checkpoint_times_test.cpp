// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/testbed/checkpoint_times.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

using namespace std::chrono_literals;

constexpr JobId kA{1};
constexpr JobId kB{2};

Instant from_start(Duration time) {
  return Instant{} + time;
}

TEST(CheckpointTimes, CountFromTheFirstStepAndFromTheLastCheckpoint) {
  CheckpointTimes times(10s);
  EXPECT_EQ(times.next(), kNever);

  times.trains(kA, from_start(3s));
  EXPECT_EQ(times.next(), from_start(13s));
  EXPECT_FALSE(times.take(from_start(12s)));
  EXPECT_EQ(times.take(from_start(13s)), kA);
  EXPECT_EQ(times.next(), kNever);  // until it is written

  times.saved(kA, from_start(15s));
  EXPECT_EQ(times.next(), from_start(25s));
}

TEST(CheckpointTimes, JobsTakeTurnsByTimeAndThenById) {
  CheckpointTimes times(10s);
  times.trains(kB, from_start(1s));
  times.trains(kA, from_start(1s));

  EXPECT_EQ(times.take(from_start(20s)), kA);
  EXPECT_EQ(times.take(from_start(20s)), kB);
  EXPECT_FALSE(times.take(from_start(20s)));
}

TEST(CheckpointTimes, AJobThatMakesNoStepsWritesNothing) {
  CheckpointTimes times(10s);
  times.trains(kA, from_start(0s));
  times.pauses(kA);
  EXPECT_EQ(times.next(), kNever);

  times.trains(kA, from_start(4s));  // resumed, or in a gang of another size
  EXPECT_EQ(times.next(), from_start(10s));
  times.pauses(kA);
  times.trains(kA, from_start(30s));
  EXPECT_EQ(times.next(), from_start(30s));
}

TEST(CheckpointTimes, ACheckpointThatEndsInAPauseCounts) {
  CheckpointTimes times(10s);
  times.trains(kA, from_start(0s));
  EXPECT_EQ(times.take(from_start(10s)), kA);
  times.pauses(kA);
  times.saved(kA, from_start(12s));
  EXPECT_EQ(times.next(), kNever);

  times.trains(kA, from_start(15s));

  EXPECT_EQ(times.next(), from_start(22s));
}

TEST(CheckpointTimes, AnotherAttemptBeginsAnew) {
  CheckpointTimes times(10s);
  times.trains(kA, from_start(0s));
  times.ended(kA);
  times.trains(kA, from_start(50s));

  EXPECT_EQ(times.next(), from_start(60s));
}

}  // namespace
}  // namespace mimus::emulator
