// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Attempts of the virtual engine that make no steps for a while.
#include <optional>

#include <gtest/gtest.h>

#include "virtual_engine_fixture.hpp"

namespace mimus::emulator::test {
namespace {

using scheduler::AttemptResumed;
using scheduler::AttemptSuspended;

/// Attempts with steps of 100 ms alone.
struct SuspensionTest : VirtualEngineTest {
  const FlatSteps steps{100ms};
  std::optional<VirtualEngine> engine;

  void begin() {
    engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
    engine->start(attempt(1, 12'800.0, {0}));  // 100 steps
  }
};

TEST_F(SuspensionTest, BeginsAtTheNextStepBoundaryAndLosesNoStep) {
  begin();
  (void)until(*engine, at(1030ms));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);
  const auto paused = until(*engine, at(5s));
  engine->resume(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  ASSERT_EQ(only<AttemptSuspended>(paused).size(), 1U);
  EXPECT_EQ(only<AttemptSuspended>(paused)[0].first, at(1100ms));
  EXPECT_TRUE(ends(paused).empty());
  EXPECT_EQ(only<AttemptResumed>(happened).at(0).first, at(5s));
  EXPECT_EQ(ends(happened).at(0).first, at(13900ms));  // 8.9 s of steps were left
  EXPECT_EQ(ends(happened)[0].second.samples_done, 12'800.0);
}

TEST_F(SuspensionTest, BeginsAfterTheStepThatBeginsWhenItIsDecided) {
  begin();
  (void)until(*engine, at(1s));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);

  EXPECT_EQ(only<AttemptSuspended>(until(*engine, at(5s))).at(0).first, at(1100ms));
}

TEST_F(SuspensionTest, ItsWindowsLeaveOutThePause) {
  begin();
  (void)until(*engine, at(950ms));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);
  const auto paused = until(*engine, at(5s));
  engine->resume(AttemptId{1});
  const auto happened = until(*engine, at(1min));

  const auto before = only<AttemptProgress>(paused).at(0).second.windows;
  const auto after = only<AttemptProgress>(happened).at(0).second.windows;
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(before[0].steps, 10);
  EXPECT_EQ(before[0].end, at(1s));
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].begin, at(5s));
  EXPECT_EQ(after[0].steps, 90);
  EXPECT_EQ(after[0].step_mean, 100ms);
}

TEST_F(SuspensionTest, GoingOnCostsWhatIsStated) {
  config.costs.resume = 250ms;
  begin();
  (void)until(*engine, at(950ms));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);
  (void)until(*engine, at(2s));
  engine->resume(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(only<AttemptResumed>(happened).at(0).first, at(2250ms));
  EXPECT_EQ(ends(happened).at(0).first, at(11250ms));
}

// Fair shares: two tenants are twice as slow.
TEST_F(SuspensionTest, ASuspendedTenantSlowsNobody) {
  begin();
  engine->start(attempt(2, 12'800.0, {0}));
  (void)until(*engine, at(1950ms));  // both are in their tenth step
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);
  (void)until(*engine, at(6s));
  engine->resume(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  // 40 steps alone; the other 50 of job 2 beside job 1, which then makes its last 40 alone.
  EXPECT_EQ(ends(happened).at(0).second.attempt, AttemptId{2});
  EXPECT_EQ(ends(happened)[0].first, at(16s));
  EXPECT_EQ(ends(happened).at(1).first, at(20s));
}

TEST_F(SuspensionTest, KeepsItsMemory) {
  cluster.shape.gpu_memory = 1.5 * models.at("resnet18").memory(128);
  begin();
  (void)until(*engine, at(950ms));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);
  (void)until(*engine, at(2s));
  engine->start(attempt(2, 12'800.0, {0}));

  const auto happened = until(*engine, at(1min));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].second.attempt, AttemptId{2});
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::out_of_memory);
}

TEST_F(SuspensionTest, AStopWritesTheCheckpointWithoutAnotherStep) {
  config.costs.checkpoint = 500ms;
  begin();
  (void)until(*engine, at(950ms));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);
  (void)until(*engine, at(3s));
  engine->stop(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].first, at(3500ms));
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::preempted);
  EXPECT_EQ(ends(happened)[0].second.samples_done, 1280.0);
}

TEST_F(SuspensionTest, TakesANewBatchFirst) {
  begin();
  (void)until(*engine, at(1030ms));
  engine->retune(AttemptId{1}, {.per_gpu = 64, .accumulation = 1});
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);
  const auto paused = until(*engine, at(5s));
  engine->resume(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(only<AttemptSuspended>(paused).at(0).first, at(1100ms));
  EXPECT_EQ(only<AttemptProgress>(happened).at(0).second.windows.at(0).batch.per_gpu, 64);
  EXPECT_EQ(ends(happened).at(0).second.reason, EndReason::finished);
}

TEST_F(SuspensionTest, AnAttemptThatEndsAtTheBoundaryIsNotSuspended) {
  begin();
  (void)until(*engine, at(9950ms));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);

  const auto happened = until(*engine, at(1min));

  EXPECT_TRUE(only<AttemptSuspended>(happened).empty());
  EXPECT_EQ(ends(happened).at(0).first, at(10s));
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::finished);
}

TEST_F(SuspensionTest, GoesDownWithItsNode) {
  cluster.outages.push_back({NodeId{0}, at(3s), at(4s)});
  begin();
  (void)until(*engine, at(950ms));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);

  const auto happened = until(*engine, at(1min));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].first, at(3s));
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::node_down);
}

// A job that counts run time is suspended at once: its work has no steps.
TEST_F(SuspensionTest, RunTimeGoesOnAtTheNanosecond) {
  const FlatSteps run_time(1s, true);
  Attempt job = attempt(1, 10.0, {0});
  job.model = nullptr;
  engine.emplace(cluster, config, run_time, interference, VirtualEngine::Settings{});
  engine->start(job);
  (void)until(*engine, at(1'234'567'891ns));
  engine->suspend(AttemptId{1}, scheduler::SuspendedMemory::all);
  const auto paused = until(*engine, at(3s));
  engine->resume(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(only<AttemptSuspended>(paused).at(0).first, at(1'234'567'891ns));
  EXPECT_EQ(ends(happened).at(0).first, at(3s) + (10s - 1'234'567'891ns));
}

}  // namespace
}  // namespace mimus::emulator::test
