// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Attempts of the virtual engine that may use a share of their GPUs' time.
#include <optional>

#include <gtest/gtest.h>

#include "virtual_engine_fixture.hpp"

namespace mimus::emulator::test {
namespace {

/// Steps of 100 ms alone, for 80 ms of which the device is busy.
class HostBoundSteps final : public StepTimeModel {
 public:
  [[nodiscard]] std::string name() const override { return "host bound"; }
  void check(const workloads::Job&) const override {}
  [[nodiscard]] StepCost step(const Attempt&, const Surroundings& around) const override {
    return {scale(100ms, around.interference), {}, 80ms};
  }
};

struct CapTest : VirtualEngineTest {
  const FlatSteps busy{100ms};
  const HostBoundSteps host_bound{};
  std::optional<VirtualEngine> engine;

  Instant end_of(const StepTimeModel& steps, double cap) {
    engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
    Attempt capped = attempt(1, 12'800.0, {0});  // 100 steps
    capped.limits.cap = cap;
    engine->start(capped);
    return ends(until(*engine, at(10min))).at(0).first;
  }
};

TEST_F(CapTest, ABusyTenantGetsItsShareOfItsSpeed) {
  EXPECT_EQ(end_of(busy, 0.25), at(40s));
  EXPECT_EQ(end_of(busy, 0.5), at(20s));
  EXPECT_EQ(end_of(busy, 1.0), at(10s));
}

// It asks for 0.8 of the device.
TEST_F(CapTest, ATenantThatAsksForLessIsNotSlowed) {
  EXPECT_EQ(end_of(host_bound, 0.8), at(10s));
  EXPECT_EQ(end_of(host_bound, 0.9), at(10s));
  EXPECT_EQ(end_of(host_bound, 0.4), at(20s));
}

TEST_F(CapTest, ANewCapHoldsFromTheNextStepBoundaryOn) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(1030ms));
  engine->limit(AttemptId{1}, {.cap = 0.5});

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(ends(happened).at(0).first, at(18900ms));  // 11 steps of 100 ms, 89 of 200 ms
  const auto windows = only<AttemptProgress>(happened).at(0).second.windows;
  EXPECT_EQ(windows.at(0).steps, 11);
}

// Fair shares: both tenants take twice as long. The cap of one comes on top.
TEST_F(CapTest, ItComesOnTopOfWhatCoTenantsCost) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  Attempt capped = attempt(1, 1280.0, {0});
  capped.limits.cap = 0.5;
  engine->start(capped);
  engine->start(attempt(2, 12'800.0, {0}));

  const auto happened = until(*engine, at(10min));

  EXPECT_EQ(ends(happened).at(0).first, at(4s));  // 10 steps of 400 ms
}

// A batch is 128 samples, so that 256 samples/s are a step of 0.5 s.
TEST_F(CapTest, AStepLastsAsLongAsItsSamplesAreRead) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(0ms));
  engine->read(AttemptId{1}, 256.0);
  (void)until(*engine, at(5s));
  engine->read(AttemptId{1}, 12'800.0);  // faster than it computes

  EXPECT_EQ(ends(until(*engine, at(1min))).at(0).first, at(14s));  // 10 of 500 ms, 90 of 100 ms
}

TEST_F(CapTest, TheNextAttemptDoesNotReadAsTheLastOneDid) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 128.0, {0}));
  (void)until(*engine, at(0ms));
  engine->read(AttemptId{1}, 12.8);
  EXPECT_EQ(ends(until(*engine, at(20s))).at(0).first, at(10s));
  engine->start(attempt(2, 1280.0, {0}));

  EXPECT_EQ(ends(until(*engine, at(1min))).at(0).first, at(21s));
}

/// What a replica needs beyond its limit crosses the host link once per micro-batch.
struct SpillTest : CapTest {
  const Bytes need = kernels::memory_need(models.at("resnet18")).of(128);
  scheduler::DeviceLimits half{.memory = 0.5 * need};
  const Duration spill = (0.5 * need) / cluster.gpu.host_link;
};

TEST_F(SpillTest, AStepGrowsByItsSpilledBytesOverTheHostLink) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  Attempt limited = attempt(1, 12'800.0, {0});  // 100 steps
  limited.limits = half;
  engine->start(limited);

  const auto happened = until(*engine, at(10min));

  EXPECT_NEAR(to_seconds(ends(happened).at(0).first - at(0s)), to_seconds(100 * (100ms + spill)),
              1e-6);
}

TEST_F(SpillTest, EachMicroBatchPaysForIt) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  Attempt limited = attempt(1, 12'800.0, {0});
  limited.batch.accumulation = 3;
  limited.limits = half;
  engine->start(limited);

  const auto windows = only<AttemptProgress>(until(*engine, at(10min))).at(0).second.windows;

  EXPECT_NEAR(to_seconds(windows.at(0).step_mean), to_seconds(100ms + 3 * spill), 1e-6);
}

TEST_F(SpillTest, LimitsHoldFromTheNextStepBoundaryOnAndAreTold) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(1030ms));
  engine->limit(AttemptId{1}, half);

  const auto happened = until(*engine, at(10min));

  EXPECT_EQ(only<scheduler::AttemptLimited>(happened).at(0).first, at(1100ms));
  EXPECT_NEAR(to_seconds(ends(happened).at(0).first - at(0s)),
              to_seconds(11 * 100ms + 89 * (100ms + spill)), 1e-6);
}

TEST_F(SpillTest, ReplicasThatDoNotFitWholeFitWhenOneSpills) {
  cluster.shape.gpu_memory = 1.6 * need;
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  Attempt limited = attempt(1, 1280.0, {0});
  limited.limits = half;
  engine->start(limited);
  engine->start(attempt(2, 1280.0, {0}));
  engine->start(attempt(3, 1280.0, {0}));

  const auto ended = ends(until(*engine, at(10min)));

  ASSERT_EQ(ended.size(), 3U);
  EXPECT_EQ(ended[0].second.attempt, AttemptId{3});
  EXPECT_EQ(ended[0].second.reason, EndReason::out_of_memory);
  EXPECT_EQ(ended[1].second.reason, EndReason::finished);
  EXPECT_EQ(ended[2].second.reason, EndReason::finished);
}

TEST_F(SpillTest, AGrowingNeedThatFindsNoRoomEndsTheAttempt) {
  cluster.shape.gpu_memory = 1.6 * need;
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  Attempt limited = attempt(1, 12'800.0, {0});
  limited.limits = half;
  engine->start(limited);
  engine->start(attempt(2, 12'800.0, {0}));
  (void)until(*engine, at(1s));
  engine->limit(AttemptId{1}, {});

  const auto ended = ends(until(*engine, at(10min)));

  EXPECT_EQ(ended.at(0).second.attempt, AttemptId{1});
  EXPECT_EQ(ended.at(0).second.reason, EndReason::out_of_memory);
}

// The first attempt goes down before the boundary at which its limits would hold.
TEST_F(SpillTest, LimitsOfAnAttemptThatEndsFirstAreNotThoseOfTheNextOne) {
  cluster.outages.push_back({NodeId{0}, at(1050ms), at(2s)});
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(1020ms));
  engine->limit(AttemptId{1}, half);
  (void)until(*engine, at(3s));
  engine->start(attempt(2, 12'800.0, {0}));
  (void)until(*engine, at(4s));
  engine->retune(AttemptId{2}, {.per_gpu = 128, .accumulation = 2});

  const auto happened = until(*engine, at(10min));

  EXPECT_TRUE(only<scheduler::AttemptLimited>(happened).empty());
}

}  // namespace
}  // namespace mimus::emulator::test
