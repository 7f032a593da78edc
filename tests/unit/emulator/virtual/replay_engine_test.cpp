// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/replay/pollux_replay_engine.hpp"
#include "model_builders.hpp"
#include "pollux_tables.hpp"

namespace mimus::emulator::test {
namespace {

using scheduler::AttemptEnded;
using scheduler::AttemptStarted;
using scheduler::EndReason;
using std::chrono::seconds;
using testing::HasSubstr;

class ReplayEngineTest : public testing::Test {
 protected:
  /// Runs to `second` and returns what happened.
  std::vector<TimedEvent> until(std::int64_t second) {
    std::vector<TimedEvent> happened;
    while (engine_.now() < Instant{seconds{second}}) {
      (void)engine_.next(Instant{seconds{second}}, happened);
    }
    return happened;
  }

  template <class Event>
  static const TimedEvent* find(const std::vector<TimedEvent>& happened) {
    for (const auto& event : happened) {
      if (std::holds_alternative<Event>(event.event)) return &event;
    }
    return nullptr;
  }

  TemporaryFolder folder_;
  ClusterConfig cluster_ = small_cluster();
  workloads::PolluxProfiles profiles_{with_tables(folder_)};
  PolluxReplayEngine engine_{cluster_, profiles_, {}};
};

TEST_F(ReplayEngineTest, AFirstStartPausesForHalfAMinute) {
  engine_.start(attempt_on(1, {0}, "resnet18", 32));

  const auto happened = until(60);

  const auto* started = find<AttemptStarted>(happened);
  ASSERT_NE(started, nullptr);
  EXPECT_EQ(started->at, Instant{seconds{30}});
  EXPECT_EQ(engine_.samples_done(JobId{1}), 30.0 * 128);
}

// Epochs of 100 steps of 1 s after 30 s of pause: the second ends at 230 s.
TEST_F(ReplayEngineTest, AJobEndsWithItsLastEpochWithinARound) {
  engine_.start(attempt_on(1, {0}, "resnet18", 32));

  const auto happened = until(240);

  const auto* ended = find<AttemptEnded>(happened);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->at, Instant{seconds{230}});
  EXPECT_EQ(std::get<AttemptEnded>(ended->event).reason, EndReason::finished);
  EXPECT_EQ(std::get<AttemptEnded>(ended->event).samples_done, 200.0 * 128);
  EXPECT_EQ(engine_.epoch(JobId{1}), 2);
}

// On two nodes a step takes 2 s, so there are 15 steps after 60 s.
TEST_F(ReplayEngineTest, APlacementHasItsMeasuredSpeed) {
  engine_.start(attempt_on(1, {0, 4}, "resnet18", 32));

  const auto happened = until(60);

  const auto* progress = find<AttemptProgress>(happened);
  ASSERT_NE(progress, nullptr);
  const auto& window = std::get<AttemptProgress>(progress->event).windows.front();
  EXPECT_EQ(window.steps, 15);
  EXPECT_EQ(window.begin, Instant{seconds{30}});
  EXPECT_EQ(window.end, Instant{seconds{60}});
  EXPECT_EQ(window.step_mean, seconds{2});
  EXPECT_EQ(window.samples, 15.0 * 64);
}

// Stopped and restarted on the same node at 120 s: this has no effect.
TEST_F(ReplayEngineTest, StoppedAndStartedOnTheSameNodesIsUntouched) {
  engine_.start(attempt_on(1, {0}, "resnet18", 32));
  (void)until(120);
  engine_.stop(AttemptId{1});
  auto again = attempt_on(2, {1}, "resnet18", 32);
  again.job = JobId{1};
  engine_.start(again);

  const auto happened = until(240);

  const auto* preempted = find<AttemptEnded>(happened);
  ASSERT_NE(preempted, nullptr);
  EXPECT_EQ(preempted->at, Instant{seconds{120}});
  EXPECT_EQ(std::get<AttemptEnded>(preempted->event).reason, EndReason::preempted);
  EXPECT_EQ(find<AttemptStarted>(happened)->at, Instant{seconds{120}});
  EXPECT_EQ(engine_.epoch(JobId{1}), 2);
  EXPECT_EQ(happened.back().at, Instant{seconds{230}});
}

// With rounds of 2 s and pauses of 1 s, 199 of 200 steps are done after 200 s, and half a step more
// on two nodes. The remaining half second is rounded to zero.
TEST_F(ReplayEngineTest, AnEndInTheSecondOfTheFirstStepComesAfterIt) {
  PolluxReplayEngine engine(cluster_, profiles_, {.round = 2, .rescale = 1});
  std::vector<TimedEvent> happened;
  const auto run_until = [&](std::int64_t second) {
    while (engine.now() < Instant{seconds{second}}) {
      (void)engine.next(Instant{seconds{second}}, happened);
    }
  };
  const auto start = [&](int id, std::vector<int> gpus) {
    auto attempt = attempt_on(id, std::move(gpus), "resnet18", 32);
    attempt.job = JobId{1};
    engine.start(attempt);
  };
  start(1, {0});
  run_until(200);
  engine.stop(AttemptId{1});
  start(2, {0, 4});
  run_until(202);
  engine.stop(AttemptId{2});
  happened.clear();
  start(3, {0});
  run_until(204);

  const auto* started = find<AttemptStarted>(happened);
  ASSERT_NE(started, nullptr);
  EXPECT_EQ(started->at, Instant{seconds{203}});
  const TimedEvent& last = happened.back();
  EXPECT_EQ(std::get<AttemptEnded>(last.event).reason, EndReason::finished);
  EXPECT_EQ(last.at, Instant{seconds{203}} + Duration{1});
}

// Two epochs of 100 steps in one round. The second one has the batch that the job is given when the
// first one has ended.
TEST_F(ReplayEngineTest, AJobThatReportsItsEpochsMayChangeItsBatchWithinARound) {
  PolluxReplayEngine engine(cluster_, profiles_,
                            {.round = 240, .users_batch = false, .reports_epochs = true});
  engine.start(attempt_on(1, {0}, "resnet18", 32));
  const Instant round_end{seconds{240}};
  std::vector<TimedEvent> happened;

  EXPECT_EQ(engine.next(round_end, happened), Instant{seconds{30}});
  EXPECT_NE(find<AttemptStarted>(happened), nullptr);
  EXPECT_EQ(engine.next(round_end, happened), Instant{seconds{130}});
  const auto first = std::get<AttemptProgress>(happened.back().event);
  EXPECT_TRUE(first.is_urgent);
  engine.retune(AttemptId{1}, {64, 1});
  EXPECT_LT(engine.next(round_end, happened), round_end);
  EXPECT_TRUE(std::holds_alternative<AttemptEnded>(happened.back().event));

  std::vector<std::int64_t> batches;
  for (const TimedEvent& event : happened) {
    const auto* progress = std::get_if<AttemptProgress>(&event.event);
    if (progress == nullptr) continue;
    for (const StepWindow& window : progress->windows) batches.push_back(window.batch.per_gpu);
  }
  EXPECT_EQ(batches, (std::vector<std::int64_t>{32, 64}));
  EXPECT_TRUE(std::is_sorted(happened.begin(), happened.end(),
                             [](const auto& a, const auto& b) { return a.at < b.at; }));
}

// The other job reports in the middle of the round, before this one has made a step.
TEST_F(ReplayEngineTest, EventsOfSeveralCallsAreInTheOrderOfTime) {
  PolluxReplayEngine engine(cluster_, profiles_,
                            {.round = 150, .users_batch = false, .reports_epochs = true});
  engine.start(attempt_on(1, {0}, "resnet18", 32));
  std::vector<TimedEvent> happened;
  const auto run_until = [&](Instant end) {
    while (engine.now() < end) (void)engine.next(end, happened);
  };
  run_until(Instant{seconds{150}});
  engine.start(attempt_on(2, {1}, "resnet18", 32));
  run_until(Instant{seconds{300}});

  EXPECT_TRUE(std::is_sorted(happened.begin(), happened.end(),
                             [](const auto& a, const auto& b) { return a.at < b.at; }));
}

// On another node it pauses again: 30 s are lost, so it ends at 260 s.
TEST_F(ReplayEngineTest, OtherNodesCostAnotherPause) {
  engine_.start(attempt_on(1, {0}, "resnet18", 32));
  (void)until(120);
  engine_.stop(AttemptId{1});
  auto again = attempt_on(2, {4}, "resnet18", 32);
  again.job = JobId{1};
  engine_.start(again);

  EXPECT_EQ(until(300).back().at, Instant{seconds{260}});
}

TEST_F(ReplayEngineTest, AJobKeepsItsProgressWhileItHoldsNothing) {
  engine_.start(attempt_on(1, {0}, "resnet18", 32));
  (void)until(60);
  engine_.stop(AttemptId{1});
  (void)until(600);
  EXPECT_EQ(engine_.samples_done(JobId{1}), 30.0 * 128);
  auto again = attempt_on(2, {0}, "resnet18", 32);
  again.job = JobId{1};
  engine_.start(again);

  // 30 s of pause and 170 steps.
  EXPECT_EQ(until(840).back().at, Instant{seconds{800}});
}

// 512 samples on one GPU are more than M0, so there are two micro-batches of 256. Interpolated step
// and sync at 256: 1 + 224/992 and 0.2 + 0.2·224/992 s. A second pass takes their difference again.
TEST_F(ReplayEngineTest, ASingleReplicaAboveTheReferenceBatchAccumulates) {
  engine_.start(attempt_on(1, {0}, "resnet18", 512));

  const auto happened = until(60);

  const auto& window = std::get<AttemptProgress>(happened.back().event).windows.front();
  EXPECT_EQ(window.batch, (scheduler::BatchPlan{256, 2}));
  const double step = 1.0 + 224.0 / 992;
  const double sync = 0.2 + 0.2 * 224 / 992;
  EXPECT_NEAR(to_seconds(window.step_mean), step + (step - sync), 1e-9);
}

// The user requests 256 samples, and the policy plans 32.
TEST_F(ReplayEngineTest, AJobStartsWithThePolicysBatchWhereThePolicyChooses) {
  const auto first_batch = [&](bool users_batch) {
    PolluxReplayEngine engine(cluster_, profiles_, {.users_batch = users_batch});
    Attempt attempt = attempt_on(1, {0}, "resnet18", 32);
    attempt.requested_batch = 256;
    engine.start(attempt);
    std::vector<TimedEvent> happened;
    (void)engine.next(Instant{seconds{60}}, happened);
    return std::get<AttemptProgress>(happened.back().event).windows.front().batch;
  };

  EXPECT_EQ(first_batch(true), (scheduler::BatchPlan{128, 2}));
  EXPECT_EQ(first_batch(false), (scheduler::BatchPlan{32, 1}));
}

TEST_F(ReplayEngineTest, DistributedJobsOnOneNodeInterfereWhenAskedTo) {
  PolluxReplayEngine engine(cluster_, profiles_, {.interference = 0.5});
  engine.start(attempt_on(1, {0, 4}, "resnet18", 32));
  engine.start(attempt_on(2, {1, 5}, "resnet18", 32));
  engine.start(attempt_on(3, {2}, "resnet18", 32));
  std::vector<TimedEvent> happened;
  (void)engine.next(Instant{seconds{60}}, happened);

  EXPECT_EQ(engine.samples_done(JobId{1}), 7.5 * 128);
  EXPECT_EQ(engine.samples_done(JobId{3}), 30.0 * 128);
  // Jobs do not notice it, as in the artifact: it takes progress from them, not time per step.
  for (const TimedEvent& event : happened) {
    const auto* progress = std::get_if<AttemptProgress>(&event.event);
    if (progress == nullptr) continue;
    const StepWindow& window = progress->windows.at(0);
    EXPECT_EQ(window.step_mean - window.unnoticed, window.step_modelled);
    EXPECT_EQ(window.unnoticed > Duration{}, progress->attempt != AttemptId{3});
  }
}

TEST_F(ReplayEngineTest, SaysWhenNothingIsToHappen) {
  std::vector<TimedEvent> happened;
  EXPECT_THAT(message_of([&] { (void)engine_.next(kNever, happened); }),
              HasSubstr("no event is left"));
}

TEST_F(ReplayEngineTest, ADeadlineWithinARoundIsReached) {
  engine_.start(attempt_on(1, {0}, "resnet18", 32));
  std::vector<TimedEvent> happened;

  EXPECT_EQ(engine_.next(Instant{seconds{45}}, happened), Instant{seconds{45}});
  EXPECT_TRUE(happened.empty());
  EXPECT_THAT(message_of([&] { engine_.start(attempt_on(2, {1}, "resnet18", 32)); }),
              HasSubstr("multiples of 60 s"));
  EXPECT_EQ(engine_.next(Instant{seconds{60}}, happened), Instant{seconds{60}});
  EXPECT_FALSE(happened.empty());
}

TEST_F(ReplayEngineTest, EventsComeInOrderOfTime) {
  engine_.start(attempt_on(1, {0}, "resnet18", 32));
  engine_.start(attempt_on(2, {4}, "resnet18", 1024));
  engine_.start(attempt_on(3, {8}, "neumf", 32));

  const auto happened = until(1200);

  for (std::size_t i = 1; i < happened.size(); ++i) {
    EXPECT_LE(happened[i - 1].at, happened[i].at);
  }
}

TEST_F(ReplayEngineTest, RefusesUnmeasuredModelsAndPlannedFailures) {
  EXPECT_THAT(message_of([&] { engine_.start(attempt_on(1, {0}, "gpt", 1)); }), HasSubstr("gpt"));
  auto failing = attempt_on(2, {0}, "resnet18", 32);
  failing.fail_at_samples = 5.0;
  EXPECT_THAT(message_of([&] { engine_.start(failing); }), HasSubstr("planned failure"));
}

}  // namespace
}  // namespace mimus::emulator::test
