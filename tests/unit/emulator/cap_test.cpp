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
  const HostBoundSteps host_bound;
  std::optional<VirtualEngine> engine;

  Instant end_of(const StepTimeModel& steps, double cap) {
    engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
    Attempt capped = attempt(1, 12'800.0, {0});  // 100 steps
    capped.cap = cap;
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
  engine->cap(AttemptId{1}, 0.5);

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(ends(happened).at(0).first, at(18900ms));  // 11 steps of 100 ms, 89 of 200 ms
  const auto windows = only<AttemptProgress>(happened).at(0).second.windows;
  EXPECT_EQ(windows.at(0).steps, 11);
}

// Fair shares: both tenants take twice as long. The cap of one comes on top.
TEST_F(CapTest, ItComesOnTopOfWhatCoTenantsCost) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  Attempt capped = attempt(1, 1280.0, {0});
  capped.cap = 0.5;
  engine->start(capped);
  engine->start(attempt(2, 12'800.0, {0}));

  const auto happened = until(*engine, at(10min));

  EXPECT_EQ(ends(happened).at(0).first, at(4s));  // 10 steps of 400 ms
}

TEST_F(CapTest, OfASuspendedAttemptHoldsWhenItGoesOn) {
  engine.emplace(cluster, config, busy, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(1s));
  engine->suspend(AttemptId{1});
  (void)until(*engine, at(2s));
  engine->cap(AttemptId{1}, 0.5);
  engine->resume(AttemptId{1});

  EXPECT_EQ(ends(until(*engine, at(1min))).at(0).first, at(20s));
}

}  // namespace
}  // namespace mimus::emulator::test
