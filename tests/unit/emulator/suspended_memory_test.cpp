// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What suspended attempts of the virtual engine keep of their memory.
#include <optional>

#include <gtest/gtest.h>

#include "virtual_engine_fixture.hpp"

namespace mimus::emulator::test {
namespace {

using scheduler::AttemptResumed;
using scheduler::AttemptSuspended;
using scheduler::SuspendedMemory;

/// Steps of 100 ms alone, on GPUs that have room for one replica and a half with its activations.
struct SuspendedMemoryTest : VirtualEngineTest {
  const FlatSteps steps{100ms};
  const kernels::MemoryNeed need = kernels::memory_need(models.at("resnet18"));
  const Duration transfer = need.base / cluster.gpu.host_link;
  std::optional<VirtualEngine> engine;

  /// Attempt 1 makes 10 of 100 steps and is suspended.
  std::vector<TimedEvent> suspend(SuspendedMemory keeps, Bytes gpu_memory) {
    cluster.shape.gpu_memory = gpu_memory;
    engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
    engine->start(attempt(1, 12'800.0, {0}));
    (void)until(*engine, at(950ms));
    engine->suspend(AttemptId{1}, keeps);
    return until(*engine, at(3s));
  }
  /// How an attempt of 10 steps ends that starts now.
  scheduler::AttemptEnded end_of_another() {
    engine->start(attempt(2, 1'280.0, {0}));
    return ends(until(*engine, engine->now() + 5s)).at(0).second;
  }
  [[nodiscard]] Bytes with_activations() const { return need.of(128); }
};

TEST_F(SuspendedMemoryTest, OfOneThatKeepsTheStateAnotherHasTheActivations) {
  const auto paused = suspend(SuspendedMemory::state, need.base + with_activations());
  EXPECT_EQ(only<AttemptSuspended>(paused).at(0).first, at(1s));  // at no cost
  EXPECT_EQ(end_of_another().reason, EndReason::finished);

  engine->resume(AttemptId{1});
  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(only<AttemptResumed>(happened).at(0).first, at(8s));
  EXPECT_EQ(ends(happened).at(0).first, at(17s));  // 90 steps
}

TEST_F(SuspendedMemoryTest, OfOneThatKeepsTheStateAnotherDoesNotHaveThat) {
  (void)suspend(SuspendedMemory::state, need.base + with_activations() - Bytes{1e6});

  EXPECT_EQ(end_of_another().reason, EndReason::out_of_memory);
}

TEST_F(SuspendedMemoryTest, OfOneThatKeepsAllAnotherHasNothing) {
  (void)suspend(SuspendedMemory::all, need.base + with_activations());

  EXPECT_EQ(end_of_another().reason, EndReason::out_of_memory);
}

TEST_F(SuspendedMemoryTest, TheStateCrossesTheHostLinkTwiceIfNothingIsKept) {
  const auto paused = suspend(SuspendedMemory::nothing, with_activations());
  EXPECT_EQ(only<AttemptSuspended>(paused).at(0).first, at(1s) + transfer);
  EXPECT_EQ(end_of_another().reason, EndReason::finished);

  engine->resume(AttemptId{1});
  const auto happened = until(*engine, at(1min));

  EXPECT_GT(transfer, 100ms);
  EXPECT_EQ(only<AttemptResumed>(happened).at(0).first, at(8s) + transfer);
  EXPECT_EQ(ends(happened).at(0).first, at(17s) + transfer);
  EXPECT_EQ(ends(happened)[0].second.samples_done, 12'800.0);
}

TEST_F(SuspendedMemoryTest, ALimitLeavesLessToMove) {
  Attempt limited = attempt(1, 12'800.0, {0});
  limited.limits.memory = 0.5 * need.base;
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(limited);
  (void)until(*engine, at(5s));
  engine->suspend(AttemptId{1}, SuspendedMemory::nothing);

  const auto paused = until(*engine, at(20s));

  const Instant last_step = only<AttemptProgress>(paused).at(0).second.windows.back().end;
  EXPECT_EQ(only<AttemptSuspended>(paused).at(0).first,
            last_step + (0.5 * need.base) / cluster.gpu.host_link);
}

TEST_F(SuspendedMemoryTest, OneThatFindsNoMemoryWhenItIsResumedEnds) {
  (void)suspend(SuspendedMemory::state, need.base + with_activations());
  engine->start(attempt(2, 128'000.0, {0}));
  (void)until(*engine, at(4s));
  engine->resume(AttemptId{1});

  const auto happened = until(*engine, at(5s));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].first, at(4s));
  EXPECT_EQ(ends(happened)[0].second.attempt, AttemptId{1});
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::out_of_memory);
  EXPECT_EQ(ends(happened)[0].second.samples_done, 0.0);  // without a checkpoint
}

TEST_F(SuspendedMemoryTest, WhatASuspendedOneHeldIsFreeOnceItHasStopped) {
  (void)suspend(SuspendedMemory::state, with_activations());
  engine->stop(AttemptId{1});
  EXPECT_EQ(ends(until(*engine, at(4s))).at(0).second.reason, EndReason::preempted);

  EXPECT_EQ(end_of_another().reason, EndReason::finished);  // which needs all that there is
  EXPECT_EQ(end_of_another().reason, EndReason::finished);
}

TEST_F(SuspendedMemoryTest, AStopDuringTheTransferIsCarriedOutAfterIt) {
  config.costs.checkpoint = 500ms;
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(950ms));
  engine->suspend(AttemptId{1}, SuspendedMemory::nothing);
  (void)until(*engine, at(1s) + transfer / 2);
  engine->stop(AttemptId{1});

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(ends(happened).at(0).first, at(1500ms) + transfer);
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::preempted);
  EXPECT_EQ(ends(happened)[0].second.samples_done, 1'280.0);
}

}  // namespace
}  // namespace mimus::emulator::test
