// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Attempts of the virtual engine that write checkpoints while they train.
#include <optional>

#include <gtest/gtest.h>

#include "virtual_engine_fixture.hpp"

namespace mimus::emulator::test {
namespace {

/// Attempts of 100 steps of 100 ms alone, which write a checkpoint in 500 ms.
struct CheckpointTest : VirtualEngineTest {
  const FlatSteps steps{100ms};
  std::optional<VirtualEngine> engine;

  CheckpointTest() { config.costs.checkpoint = 500ms; }
  Attempt job(int id = 1) const { return attempt(id, 12'800.0, {0}); }
  /// It is to write a checkpoint after its eleventh step.
  void begin(const Attempt& attempt) {
    engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
    engine->start(attempt);
    (void)until(*engine, at(1030ms));
    engine->save(attempt.id);
  }
};

TEST_F(CheckpointTest, TakesItsTimeBetweenTwoSteps) {
  begin(job());

  const auto happened = until(*engine, at(1min));

  const auto saved = only<AttemptSaved>(happened);
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_EQ(saved[0].first, at(1600ms));
  EXPECT_EQ(saved[0].second.samples_done, 11 * 128.0);
  EXPECT_EQ(ends(happened).at(0).first, at(10500ms));
  EXPECT_EQ(ends(happened)[0].second.samples_done, 12'800.0);
}

TEST_F(CheckpointTest, ItsWindowsLeaveOutThePause) {
  begin(job());

  const auto progress = only<AttemptProgress>(until(*engine, at(1min)));

  ASSERT_EQ(progress.size(), 2U);
  EXPECT_EQ(progress[0].second.windows.at(0).end, at(1100ms));
  EXPECT_EQ(progress[1].second.windows.at(0).begin, at(1600ms));
  EXPECT_EQ(progress[1].second.windows[0].steps, 89);
  EXPECT_EQ(progress[1].second.windows[0].step_mean, 100ms);
}

TEST_F(CheckpointTest, AFailureFallsBackToIt) {
  Attempt failing = job();
  failing.fail_at = at(5s);
  begin(failing);

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(ends(happened).at(0).first, at(5s));
  EXPECT_EQ(ends(happened)[0].second.samples_done, 11 * 128.0);
}

TEST_F(CheckpointTest, AFailureInTheMiddleOfItLosesIt) {
  Attempt failing = job();
  failing.fail_at = at(1500ms);
  begin(failing);

  const auto happened = until(*engine, at(1min));

  EXPECT_TRUE(only<AttemptSaved>(happened).empty());
  EXPECT_EQ(ends(happened).at(0).second.samples_done, 0.0);
}

TEST_F(CheckpointTest, ItSlowsNoCoTenantMeanwhile) {
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(job(1));
  engine->start(job(2));  // both take twice as long
  (void)until(*engine, at(950ms));
  engine->save(AttemptId{1});
  (void)until(*engine, at(1550ms));  // five steps each, and then the other one alone
  EXPECT_EQ(engine->samples_done(AttemptId{1}), 5 * 128.0);

  EXPECT_EQ(engine->samples_done(AttemptId{2}), 10 * 128.0);
}

// A command in the meantime takes effect like one that comes as the next step begins.
TEST_F(CheckpointTest, AStopInTheMeantimeComesAfterTheNextStep) {
  begin(job());
  (void)until(*engine, at(1200ms));
  engine->stop(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(only<AttemptSaved>(happened).at(0).first, at(1600ms));
  EXPECT_EQ(ends(happened).at(0).first, at(2200ms));
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::preempted);
  EXPECT_EQ(ends(happened)[0].second.samples_done, 12 * 128.0);
}

TEST_F(CheckpointTest, ASuspensionInTheMeantimeComesAfterTheNextStep) {
  begin(job());
  (void)until(*engine, at(1200ms));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);

  const auto suspended = only<scheduler::AttemptSuspended>(until(*engine, at(1min)));

  EXPECT_EQ(suspended.at(0).first, at(1700ms));
}

TEST_F(CheckpointTest, ABatchInTheMeantimeComesAfterTheNextStep) {
  begin(job());
  (void)until(*engine, at(1200ms));
  engine->retune(AttemptId{1}, {.per_gpu = 64, .accumulation = 1});

  const auto progress = only<AttemptProgress>(until(*engine, at(1min)));

  ASSERT_EQ(progress.size(), 2U);
  EXPECT_EQ(progress[0].second.windows.at(0).steps, 1);
  EXPECT_EQ(progress[0].second.windows[0].end, at(1700ms));
  EXPECT_EQ(progress[1].second.windows.at(0).batch.per_gpu, 64);
}

TEST_F(CheckpointTest, AGangOfAnotherSizeFallsBackToIt) {
  begin(job());
  (void)until(*engine, at(1200ms));
  Attempt next = attempt(2, 12'800.0, {0, 1});
  next.job = JobId{1};
  next.transition = Transition::in_place;
  next.fail_at = at(9s);
  engine->resize(AttemptId{1}, next);

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(ends(happened).at(0).second.reason, EndReason::resized);
  EXPECT_EQ(ends(happened).at(0).first, at(1700ms));
  EXPECT_EQ(ends(happened).at(1).first, at(9s));
  EXPECT_EQ(ends(happened)[1].second.samples_done, 11 * 128.0);
}

TEST_F(CheckpointTest, AnAttemptThatEndsFirstWritesNone) {
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(job());
  (void)until(*engine, at(9950ms));
  engine->save(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  EXPECT_TRUE(only<AttemptSaved>(happened).empty());
  EXPECT_EQ(ends(happened).at(0).first, at(10s));
}

}  // namespace
}  // namespace mimus::emulator::test
