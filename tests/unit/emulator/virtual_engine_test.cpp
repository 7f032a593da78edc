// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "virtual_engine_fixture.hpp"

namespace mimus::emulator::test {
namespace {

TEST_F(VirtualEngineTest, AJobEndsAfterAWholeNumberOfSteps) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 1000.0, {0}));  // 1000 / 128 = 7.8 steps

  const auto happened = until(engine, at(10s));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].first, at(800ms));
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::finished);
}

TEST_F(VirtualEngineTest, ARunTimeEndsAtTheExactNanosecond) {
  const FlatSteps steps(1s, true);
  VirtualEngine engine(cluster, config, steps, interference, {});
  Attempt job = attempt(1, to_seconds(5'184'000s + 1ns), {0});  // sixty days and a nanosecond
  job.model = nullptr;
  engine.start(job);

  const auto happened = until(engine, at(6'000'000s));

  EXPECT_EQ(ends(happened).at(0).first, at(5'184'000s + 1ns));
}

TEST_F(VirtualEngineTest, StartUpAndRestoreComeBeforeTheFirstStep) {
  const FlatSteps steps(100ms);
  config.costs.start = 30s;
  config.costs.restore = 4s;
  VirtualEngine engine(cluster, config, steps, interference, {});
  Attempt resumed = attempt(1, 256.0, {0});
  resumed.from_checkpoint = true;
  engine.start(resumed);

  const auto happened = until(engine, at(100s));

  EXPECT_EQ(only<scheduler::AttemptStarted>(happened).at(0).first, at(34s));
  EXPECT_EQ(ends(happened).at(0).first, at(34s + 200ms));
}

TEST_F(VirtualEngineTest, TheStartUpStatedForAModelIsThatOfItsAttempts) {
  const FlatSteps steps(100ms);
  config.costs.start = 30s;
  config.costs.start_of = {{"resnet18", 7s}, {"neumf", 9s}};
  VirtualEngine engine(cluster, config, steps, interference, {});
  Attempt other = attempt(2, 256.0, {1});
  other.model = &models.at("resnet50");
  engine.start(attempt(1, 256.0, {0}));
  engine.start(other);

  const auto started = only<scheduler::AttemptStarted>(until(engine, at(100s)));

  ASSERT_EQ(started.size(), 2U);
  EXPECT_EQ(started.at(0).first, at(7s));
  EXPECT_EQ(started.at(1).first, at(30s));
}

TEST_F(VirtualEngineTest, AStopTakesEffectAtTheNextStepAndKeepsTheProgress) {
  const FlatSteps steps(100ms);
  config.costs.checkpoint = 2s;
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 12800.0, {0}));
  auto happened = until(engine, at(250ms));

  engine.stop(AttemptId{1});
  happened = until(engine, at(10s));

  // In the third step: it ends at 300 ms with 3 x 128 samples.
  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].first, at(300ms + 2s));
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::preempted);
  EXPECT_DOUBLE_EQ(ends(happened)[0].second.samples_done, 384.0);
}

TEST_F(VirtualEngineTest, TenantsSlowEachOtherDownOnlyWhileTheyShare) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 1280.0, {0}));  // 10 steps
  auto happened = until(engine, at(500ms));
  engine.start(attempt(2, 256.0, {0}));  // 2 steps, both shared

  happened = until(engine, at(10s));

  // From 500 ms on both take 200 ms per step. The second ends at 900 ms, when the first has done 7
  // of its 10 steps. The first ends 3 steps later.
  ASSERT_EQ(ends(happened).size(), 2U);
  EXPECT_EQ(ends(happened)[0].first, at(900ms));
  EXPECT_EQ(ends(happened)[0].second.attempt, AttemptId{2});
  EXPECT_EQ(ends(happened)[1].first, at(1200ms));
}

TEST_F(VirtualEngineTest, AFailureStrikesWhereThePlanSaysAndFallsBackToTheCheckpoint) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  Attempt job = attempt(1, 1280.0, {0});
  job.samples_done = job.samples_kept = 256.0;
  job.fail_at_samples = 640.0;
  job.fail_reason = "lost";
  engine.start(job);

  const auto happened = until(engine, at(10s));

  EXPECT_EQ(ends(happened).at(0).first, at(300ms));
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::failed);
  EXPECT_EQ(ends(happened)[0].second.detail, "lost");
  EXPECT_DOUBLE_EQ(ends(happened)[0].second.samples_done, 256.0);
}

TEST_F(VirtualEngineTest, ANodeThatGoesDownEndsItsAttemptsFirst) {
  cluster.outages = {{NodeId{1}, at(5s), at(9s)}};
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 1e6, {0}));
  engine.start(attempt(2, 1e6, {1, 2}));

  const auto happened = until(engine, at(10s));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].second.attempt, AttemptId{2});
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::node_down);
  const auto down = only<scheduler::NodeDown>(happened);
  ASSERT_EQ(down.size(), 1U);
  EXPECT_EQ(down[0].first, at(5s));
  EXPECT_EQ(only<scheduler::NodeUp>(happened).at(0).first, at(9s));
}

TEST_F(VirtualEngineTest, AFailureThatIsPlannedForAnInstantComesWhateverIsDone) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  Attempt job = attempt(1, 1280.0, {0});
  job.samples_done = job.samples_kept = 256.0;
  job.fail_at = at(250ms);
  job.fail_reason = "lost";
  engine.start(job);
  Attempt later = attempt(2, 256.0, {1});  // is done before
  later.fail_at = at(5s);
  engine.start(later);

  const auto happened = until(engine, at(10s));

  ASSERT_EQ(ends(happened).size(), 2U);
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::finished);
  EXPECT_EQ(ends(happened)[1].first, at(250ms));
  EXPECT_EQ(ends(happened)[1].second.reason, EndReason::failed);
  EXPECT_EQ(ends(happened)[1].second.detail, "lost");
  EXPECT_FALSE(ends(happened)[1].second.node);
  EXPECT_DOUBLE_EQ(ends(happened)[1].second.samples_done, 256.0);
}

TEST_F(VirtualEngineTest, AFaultOfANodeFailsWhatRunsThereAndLeavesItUp) {
  cluster.node_failures = NodeFailures{.between = 10s, .repair = 1s, .faulty = 1.0};
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {.seed = 4});
  const Instant first = NodeOutages(cluster, 4).first_end({NodeId{0}});
  engine.start(attempt(1, 1e9, {0, 2}));

  const auto happened = until(engine, at(100s));

  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_LE(ends(happened)[0].first, first);
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::failed);
  EXPECT_EQ(ends(happened)[0].second.detail, kNodeFault);
  EXPECT_EQ(ends(happened)[0].second.node,
            ends(happened)[0].first == first ? NodeId{0} : NodeId{1});
  EXPECT_TRUE(only<scheduler::NodeDown>(happened).empty());
}

// More failures would come for ever.
TEST_F(VirtualEngineTest, JobsThatNothingStartsDoNotWaitForNodesToFail) {
  cluster.node_failures = NodeFailures{.between = 10s, .repair = 1s};
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {.seed = 4});
  std::vector<TimedEvent> happened;
  while (engine.next(at(100s), happened) < at(100s)) continue;
  EXPECT_GT(happened.size(), 10U);
  EXPECT_THROW(
      {
        for (int i = 0; i < 10; ++i) (void)engine.next(kNever, happened);
      },
      Error);
}

TEST_F(VirtualEngineTest, TenantsThatDoNotFitTheMemoryAreRefusedIt) {
  cluster.shape.gpu_memory = 1.5 * models.at("resnet18").memory(128);
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 1280.0, {0}));
  engine.start(attempt(2, 1280.0, {0}));

  const auto happened = until(engine, at(10s));

  ASSERT_EQ(ends(happened).size(), 2U);
  EXPECT_EQ(ends(happened)[0].second.reason, EndReason::out_of_memory);
  EXPECT_EQ(ends(happened)[0].second.attempt, AttemptId{2});
  EXPECT_EQ(ends(happened)[1].second.reason, EndReason::finished);
}

TEST_F(VirtualEngineTest, ANewBatchHoldsFromTheNextStepOn) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 1280.0, {0}));
  auto happened = until(engine, at(250ms));

  engine.retune(AttemptId{1}, {.per_gpu = 64, .accumulation = 1});
  happened = until(engine, at(100s));

  // Three steps of 128, then steps of 64 that gain a little more than 64 each: M < M0.
  const auto& model = models.at("resnet18");
  double done = 384.0;
  int small = 0;
  while (done < 1280.0) {
    const double phi = model.noise_scale.at(done / 1280.0);
    done += 64.0 * (phi + 128.0) / (phi + 64.0);
    ++small;
  }
  ASSERT_EQ(ends(happened).size(), 1U);
  EXPECT_EQ(ends(happened)[0].first, at((3 + small) * 100ms));
}

TEST_F(VirtualEngineTest, AnAttemptThatIsStoppedAsSoonAsItHasStartedMakesOneStep) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  engine.start(attempt(1, 1280.0, {0}));
  (void)until(engine, at(0ms));
  engine.stop(AttemptId{1});

  const auto ended = ends(until(engine, at(100s)));
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].second.reason, EndReason::preempted);
  EXPECT_EQ(ended[0].second.samples_done, 128.0);
}

TEST_F(VirtualEngineTest, SaysWhenNothingIsLeftToHappen) {
  const FlatSteps steps(100ms);
  VirtualEngine engine(cluster, config, steps, interference, {});
  std::vector<TimedEvent> happened;
  EXPECT_THROW((void)engine.next(kNever, happened), Error);
}

}  // namespace
}  // namespace mimus::emulator::test
