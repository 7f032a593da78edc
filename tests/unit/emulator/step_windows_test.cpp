// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The windows of steps that virtual attempts report.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "virtual_engine_fixture.hpp"

namespace mimus::emulator::test {
namespace {

std::vector<StepWindow> windows_of(AttemptId attempt, const std::vector<TimedEvent>& happened) {
  std::vector<StepWindow> windows;
  for (const auto& [when, progress] : VirtualEngineTest::only<AttemptProgress>(happened)) {
    if (progress.attempt != attempt) continue;
    windows.insert(windows.end(), progress.windows.begin(), progress.windows.end());
  }
  return windows;
}

void expect_window(const StepWindow& window, Duration begin, Duration end, int steps,
                   int co_tenants) {
  EXPECT_EQ(window.begin, at(begin));
  EXPECT_EQ(window.end, at(end));
  EXPECT_EQ(window.steps, steps);
  EXPECT_EQ(window.co_tenants, co_tenants);
  EXPECT_EQ(window.step_mean, (end - begin) / steps);
}

TEST_F(VirtualEngineTest, AWindowHoldsStepsBesideTheSameNeighbours) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 1280.0, {0}));  // 10 steps
  auto happened = until(engine, at(250ms));
  engine.start(attempt(2, 256.0, {0}));  // 2 steps, both shared, until 650 ms

  const auto later = until(engine, at(10s));
  happened.insert(happened.end(), later.begin(), later.end());

  const auto windows = windows_of(AttemptId{1}, happened);
  ASSERT_EQ(windows.size(), 5U);
  expect_window(windows[0], 0ms, 200ms, 2, 0);
  expect_window(windows[1], 200ms, 350ms, 1, 1);  // half of the step was shared
  expect_window(windows[2], 350ms, 550ms, 1, 1);
  expect_window(windows[3], 550ms, 700ms, 1, 1);
  expect_window(windows[4], 700ms, 1200ms, 5, 0);
  EXPECT_EQ(windows[2].step_modelled, 100ms);
  EXPECT_DOUBLE_EQ(windows[0].samples_done, 256.0);  // 128 each
  EXPECT_DOUBLE_EQ(windows[3].samples_done, 640.0);
  EXPECT_DOUBLE_EQ(windows[4].samples_done, 1280.0);
}

TEST_F(VirtualEngineTest, WhatWasDoneBesideANeighbourIsToldBeforeItsEnd) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 1280.0, {0}));
  engine.start(attempt(2, 256.0, {0}));

  const auto happened = until(engine, at(400ms));

  std::vector<AttemptId> tellers;
  for (const TimedEvent& what : happened) {
    if (const auto* progress = std::get_if<AttemptProgress>(&what.event)) {
      tellers.push_back(progress->attempt);
    } else if (std::holds_alternative<scheduler::AttemptEnded>(what.event)) {
      break;
    }
  }
  EXPECT_EQ(tellers, (std::vector{AttemptId{1}, AttemptId{2}}));
}

TEST_F(VirtualEngineTest, ARunTimeIsPartedToTheNanosecondWhereNeighboursChange) {
  const FlatSteps steps(1s, true);
  VirtualEngine engine(cluster, config, steps, interference, {});
  Attempt job = attempt(1, 100.0, {0});
  Attempt neighbour = attempt(2, 10.0, {0});
  job.model = neighbour.model = nullptr;
  engine.start(job);
  auto happened = until(engine, at(30s));
  engine.start(neighbour);  // both at half speed until 50 s

  const auto later = until(engine, at(200s));
  happened.insert(happened.end(), later.begin(), later.end());

  const auto windows = windows_of(AttemptId{1}, happened);
  ASSERT_EQ(windows.size(), 3U);
  expect_window(windows[0], 0s, 30s, 1, 0);
  expect_window(windows[1], 30s, 50s, 1, 1);
  expect_window(windows[2], 50s, 110s, 1, 0);
  EXPECT_EQ(windows[1].step_modelled, 10s);
}

TEST_F(VirtualEngineTest, AWindowEndsWithItsLastStepAndNotWithTheCheckpoint) {
  const FlatSteps steps(100ms);
  config.costs.checkpoint = 2s;
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 12800.0, {0}));
  auto happened = until(engine, at(250ms));
  engine.stop(AttemptId{1});

  const auto later = until(engine, at(10s));
  happened.insert(happened.end(), later.begin(), later.end());

  const auto windows = windows_of(AttemptId{1}, happened);
  ASSERT_EQ(windows.size(), 1U);
  expect_window(windows[0], 0ms, 300ms, 3, 0);
}

TEST_F(VirtualEngineTest, AWindowHoldsStepsOfOneBatch) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 512.0, {0}));
  auto happened = until(engine, at(250ms));
  engine.retune(AttemptId{1}, {.per_gpu = 64, .accumulation = 1});

  const auto later = until(engine, at(10s));
  happened.insert(happened.end(), later.begin(), later.end());

  const auto windows = windows_of(AttemptId{1}, happened);
  ASSERT_EQ(windows.size(), 2U);
  expect_window(windows[0], 0ms, 300ms, 3, 0);
  EXPECT_EQ(windows[0].batch.per_gpu, 128);
  EXPECT_DOUBLE_EQ(windows[0].samples, 384.0);
  EXPECT_EQ(windows[1].batch.per_gpu, 64);
  EXPECT_DOUBLE_EQ(windows[1].samples, static_cast<double>(64 * windows[1].steps));
}

TEST_F(VirtualEngineTest, AStepThatANodeTakesAlongIsInNoWindow) {
  cluster.outages = {{NodeId{0}, at(250ms), at(9s)}};
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 12800.0, {0}));

  const auto windows = windows_of(AttemptId{1}, until(engine, at(1s)));

  ASSERT_EQ(windows.size(), 1U);
  expect_window(windows[0], 0ms, 200ms, 2, 0);
}

TEST_F(VirtualEngineTest, WorkBeyondWhatTheClockHoldsIsRefused) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});

  try {
    engine.start(attempt(7, 1e14, {0}));
    std::ignore = until(engine, at(10s));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::run_failed);
    EXPECT_NE(std::string(error.what()).find("job 7"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mimus::emulator::test
