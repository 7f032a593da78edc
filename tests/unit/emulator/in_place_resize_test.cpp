// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "emulator/transition_costs.hpp"
#include "virtual_engine_fixture.hpp"

namespace mimus::emulator::test {
namespace {

/// Job 1 with steps of 100 ms on the given GPUs. `to` is what it continues with from 1 s on.
struct ResizeTest : VirtualEngineTest {
  const FlatSteps steps{100ms};
  std::optional<VirtualEngine> engine;

  Attempt next(std::vector<int> gpus) const {
    Attempt out = attempt(2, 12'800.0, std::move(gpus));
    out.job = JobId{1};
    out.samples_kept = 64.0;
    out.transition = Transition::in_place;
    return out;
  }
  std::vector<TimedEvent> run(std::vector<int> from, const Attempt& to, Instant deadline) {
    engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
    engine->start(attempt(1, 12'800.0, std::move(from)));  // 100 steps
    std::vector<TimedEvent> before = until(*engine, at(950ms));
    engine->resize(AttemptId{1}, to);
    return until(*engine, deadline);
  }
};

TEST_F(ResizeTest, AGangShrinksAtTheNextStepBoundary) {
  const auto happened = run({0, 1}, next({0}), at(1min));

  const auto ended = ends(happened);
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_EQ(ended[0].second.attempt, AttemptId{1});
  EXPECT_EQ(ended[0].second.reason, EndReason::resized);
  EXPECT_EQ(ended[0].second.detail, "goes on with 1 of 2 GPUs");
  EXPECT_GE(ended[0].first, at(1s));
  EXPECT_LE(ended[0].first, at(1100ms));
  EXPECT_EQ(only<scheduler::AttemptStarted>(happened).at(0).first, ended[0].first);
  EXPECT_EQ(ended[1].first, at(10s));  // no step is lost
  EXPECT_EQ(ended[1].second.samples_done, 12'800.0);
}

TEST_F(ResizeTest, AGangGrowsWhenItsNewMembersAreReady) {
  config.costs.resize = 500ms;
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(950ms));
  config.costs.start = 2s;
  engine->resize(AttemptId{1}, next({0, 1}));

  const auto happened = until(*engine, at(1min));

  EXPECT_EQ(ends(happened).at(0).first, at(3s));
  EXPECT_EQ(only<scheduler::AttemptStarted>(happened).at(0).first, at(3500ms));
  EXPECT_EQ(ends(happened).at(1).first, at(10500ms));
}

TEST_F(ResizeTest, AFailureFallsBackToTheLastCheckpoint) {
  Attempt to = next({0});
  to.fail_at_samples = 6'400.0;
  to.fail_reason = "planned";

  const auto happened = run({0, 1}, to, at(1min));

  EXPECT_EQ(ends(happened).at(1).second.reason, EndReason::failed);
  EXPECT_EQ(ends(happened).at(1).second.samples_done, 64.0);
}

TEST_F(ResizeTest, AnAttemptThatEndsFirstTakesItsNextOneWithIt) {
  config.costs.start = 0s;
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 1280.0, {0}));
  (void)until(*engine, at(500ms));
  config.costs.start = 5s;
  engine->resize(AttemptId{1}, next({0, 1}));

  const auto happened = until(*engine, at(1min));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::finished);
  EXPECT_EQ(ends(happened)[0].first, at(1s));
}

// Node 1 holds GPUs 2 and 3.
TEST_F(ResizeTest, AnOutageOfWhatAGangGrowsOntoEndsIt) {
  cluster.outages.push_back({NodeId{1}, at(2s), at(20s)});
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(950ms));
  config.costs.start = 5s;
  engine->resize(AttemptId{1}, next({0, 2}));

  const auto happened = until(*engine, at(1min));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].second.attempt, AttemptId{1});
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::node_down);
}

TEST_F(ResizeTest, AGangMovesToOtherGpus) {
  config.costs.move = 500ms;
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(950ms));
  config.costs.start = 2s;
  engine->resize(AttemptId{1}, next({2}));

  const auto happened = until(*engine, at(1min));

  const auto ended = ends(happened);
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_EQ(ended[0].second.reason, EndReason::moved);
  EXPECT_EQ(ended[0].second.detail, "goes on with 1 other GPUs");
  EXPECT_EQ(ended[0].first, at(3500ms));  // its members prepare for 2 s while it makes steps
  EXPECT_EQ(only<scheduler::AttemptStarted>(happened).at(0).first, at(3500ms));
  EXPECT_EQ(ended[1].first, at(10500ms));  // no step is lost
  EXPECT_EQ(ended[1].second.samples_done, 12'800.0);
}

TEST_F(ResizeTest, AMoveTakesWhatItsStateTakesOverTheLinks) {
  Attempt to = next({2, 3});
  const Bytes state = checkpoint_bytes(*to.model);

  const auto happened = run({0}, to, at(1min));

  const Instant moved = ends(happened).at(0).first;
  const Instant started = only<scheduler::AttemptStarted>(happened).at(0).first;
  const Duration between_nodes = state / cluster.network.reached_on(2);
  EXPECT_NEAR(to_seconds(moved - at(1s)), to_seconds(between_nodes), 0.01);
  EXPECT_NEAR(to_seconds(started - moved), to_seconds(state / cluster.gpu.node_link.reached()),
              0.01);
}

TEST_F(ResizeTest, AnOutageOfWhereItMovesToEndsIt) {
  cluster.outages.push_back({NodeId{1}, at(2s), at(20s)});
  config.costs.move = 5s;
  engine.emplace(cluster, config, steps, interference, VirtualEngine::Settings{});
  engine->start(attempt(1, 12'800.0, {0}));
  (void)until(*engine, at(950ms));
  engine->resize(AttemptId{1}, next({2}));

  const auto happened = until(*engine, at(1min));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].second.attempt, AttemptId{1});
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::node_down);
  EXPECT_EQ(ends(happened)[0].first, at(2s));
}

}  // namespace
}  // namespace mimus::emulator::test
