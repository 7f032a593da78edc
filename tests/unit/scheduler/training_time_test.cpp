// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Only completed steps bring a job nearer to its end, not all the time with GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/order/shortest_remaining.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Scheduler one_gpu() {
  return Scheduler(shape(1, 1),
                   policy("{order: srtf, preemption: {name: checkpoint, min_run: 0 s}}"));
}

Decision end(Scheduler& scheduler, int attempt, EndReason reason, double time) {
  return scheduler.on_event(AttemptEnded{AttemptId{attempt}, reason, "", 0}, at(time));
}

// A job of 100 s starts up for 5 s and trains for 45 s. A job of 20 s makes it write a checkpoint,
// which takes 30 s. It held its GPU for 80 s, but has 55 s left.
TEST(TrainingTime, StartUpAndCheckpointDoNotShortenWhatRemains) {
  Scheduler scheduler = one_gpu();
  (void)scheduler.on_event(JobArrived{estimated(0, 1, 0, 100)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(5));

  const Decision stop = scheduler.on_event(JobArrived{estimated(1, 1, 50, 20)}, at(50));
  const Decision freed = end(scheduler, 0, EndReason::preempted, 80);

  EXPECT_THAT(actions_of<StopAttempt>(stop), SizeIs(1));
  ASSERT_THAT(actions_of<StartAttempt>(freed), SizeIs(1));
  EXPECT_EQ(actions_of<StartAttempt>(freed)[0].job, JobId{1});
  EXPECT_EQ(scheduler.job(JobId{0}).kept_training.count(), seconds(45).count());
  EXPECT_EQ(scheduler.job(JobId{0}).attained_time.count(), seconds(80).count());
}

// It starts up again until 105 s, with 55 s left. A job of 56 s does not stop it then, but a job of
// 54 s does.
TEST(TrainingTime, GoesOnWithTheNextAttempt) {
  Scheduler scheduler = one_gpu();
  (void)scheduler.on_event(JobArrived{estimated(0, 1, 0, 100)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(5));
  (void)scheduler.on_event(JobArrived{estimated(1, 1, 50, 20)}, at(50));
  (void)end(scheduler, 0, EndReason::preempted, 50);
  (void)scheduler.on_event(AttemptStarted{AttemptId{1}}, at(50));
  (void)end(scheduler, 1, EndReason::finished, 70);
  (void)scheduler.on_event(AttemptStarted{AttemptId{2}}, at(105));

  const Decision longer = scheduler.on_event(JobArrived{estimated(2, 1, 105, 56)}, at(105));
  const Decision shorter = scheduler.on_event(JobArrived{estimated(3, 1, 105, 54)}, at(105));

  EXPECT_THAT(longer.actions, IsEmpty());
  EXPECT_THAT(actions_of<StopAttempt>(shorter), SizeIs(1));
}

// 90 of 100 s of training are lost, so a job of 50 s goes first.
TEST(TrainingTime, DoesNotCountWhatAFailureLost) {
  for (const EndReason reason : {EndReason::failed, EndReason::node_down}) {
    Scheduler scheduler = one_gpu();
    (void)scheduler.on_event(JobArrived{estimated(0, 1, 0, 100)}, at(0));
    (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));
    (void)scheduler.on_event(JobArrived{estimated(1, 1, 80, 50)}, at(80));

    const Decision freed = end(scheduler, 0, reason, 90);

    ASSERT_THAT(actions_of<StartAttempt>(freed), SizeIs(1));
    EXPECT_EQ(actions_of<StartAttempt>(freed)[0].job, JobId{1});
  }
}

TEST(TrainingTime, IsThatOfAllReplicas) {
  JobView view = job(0, 4);
  EXPECT_EQ(view.training_time(at(30)).count(), 0);
  view.attempt = AttemptId{0};
  EXPECT_EQ(view.training_time(at(30)).count(), 0) << "no step yet";
  view.stepping_since = at(10);
  EXPECT_EQ(view.training_time(at(30)).count(), seconds(80).count());
  view.asked_to_stop = at(20);
  EXPECT_EQ(view.training_time(at(30)).count(), seconds(40).count());
  view.asked_to_stop = at(5);
  EXPECT_EQ(view.training_time(at(30)).count(), 0) << "asked before its first step";
}

// The remaining time does not shrink while a job starts up or writes its checkpoint.
TEST(TrainingTime, MovesARankOnlyWhileAJobTrains) {
  const ShortestRemaining srtf({});
  JobView view = job(0, 1);
  view.estimated_run_time = seconds(100);
  view.attempt = AttemptId{0};
  EXPECT_EQ(srtf.drift(view, at(5)), 0);
  EXPECT_EQ(srtf.next_change(view, at(5)), kNever);
  view.stepping_since = at(10);
  EXPECT_EQ(srtf.drift(view, at(20)), -1000);
  EXPECT_EQ(srtf.next_change(view, at(20)), at(110));
  view.asked_to_stop = at(30);
  EXPECT_EQ(srtf.drift(view, at(40)), 0);
  EXPECT_EQ(srtf.next_change(view, at(40)), kNever);
}

}  // namespace
}  // namespace mimus::scheduler::test
