// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Jobs that their users take back.
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

TEST(Cancel, AWaitingJobLeavesTheQueueAtOnce) {
  Scheduler scheduler(shape(1, 2), policy("{}"));
  (void)scheduler.on_event(JobArrived{job(0, 1)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1, 2, 1)}, at(1));  // blocks the next one
  (void)scheduler.on_event(JobArrived{job(2, 1, 2)}, at(2));

  const Decision decision = scheduler.on_event(JobCancelled{JobId{1}, "no good"}, at(3));

  const auto left = actions_of<GiveUpJob>(decision);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].job, JobId{1});
  EXPECT_EQ(left[0].reason, "no good");
  EXPECT_TRUE(left[0].killed);
  EXPECT_EQ(scheduler.job(JobId{1}).state, JobState::killed);
  ASSERT_EQ(actions_of<StartAttempt>(decision).size(), 1U);
  EXPECT_EQ(actions_of<StartAttempt>(decision)[0].job, JobId{2});
  EXPECT_EQ(scheduler.unfinished(), 2U);
}

TEST(Cancel, ARunningJobIsStoppedAndDoesNotComeBack) {
  Scheduler scheduler(shape(1, 2), policy("{}"));
  (void)scheduler.on_event(JobArrived{job(0, 2)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));

  const Decision stop = scheduler.on_event(JobCancelled{JobId{0}, "no good"}, at(5));
  const Decision again = scheduler.on_event(JobCancelled{JobId{0}, "no good"}, at(6));
  const Decision end =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::preempted, "", 40}, at(7));

  ASSERT_EQ(actions_of<StopAttempt>(stop).size(), 1U);
  EXPECT_TRUE(actions_of<GiveUpJob>(stop).empty());
  EXPECT_TRUE(again.actions.empty());
  ASSERT_EQ(actions_of<GiveUpJob>(end).size(), 1U);
  EXPECT_TRUE(actions_of<GiveUpJob>(end)[0].killed);
  EXPECT_EQ(scheduler.unfinished(), 0U);
  EXPECT_EQ(scheduler.queued(), 0U);
  EXPECT_EQ(scheduler.cluster().idle_gpus(), 2);
}

TEST(Cancel, AJobThatFailsMeanwhileIsNotRetried) {
  Scheduler scheduler(shape(1, 2), policy("{recovery: {name: retry, retries: 5}}"));
  (void)scheduler.on_event(JobArrived{job(0, 2)}, at(0));
  (void)scheduler.on_event(JobCancelled{JobId{0}, "no good"}, at(5));

  const Decision end =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::failed, "lost", 0}, at(6));

  ASSERT_EQ(actions_of<GiveUpJob>(end).size(), 1U);
  EXPECT_TRUE(actions_of<GiveUpJob>(end)[0].killed);
}

TEST(Cancel, AJobThatFinishesFirstHasFinished) {
  Scheduler scheduler(shape(1, 2), policy("{}"));
  (void)scheduler.on_event(JobArrived{job(0, 2)}, at(0));
  (void)scheduler.on_event(JobCancelled{JobId{0}, "no good"}, at(5));

  const Decision end =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 9}, at(6));
  const Decision late = scheduler.on_event(JobCancelled{JobId{0}, "no good"}, at(7));

  EXPECT_TRUE(actions_of<GiveUpJob>(end).empty());
  EXPECT_TRUE(late.actions.empty());
  EXPECT_EQ(scheduler.unfinished(), 0U);
}

// It has been asked to shrink: what it goes on as is stopped, with its books in order.
TEST(Cancel, AJobThatIsBeingResizedIsStoppedAfterwards) {
  Scheduler scheduler(shape(1, 4),
                      policy("planner: {name: greedy, round: 60 s, resize: in_place}"));
  (void)scheduler.on_event(JobArrived{job(7)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  (void)scheduler.on_event(JobArrived{job(8, 1, 5)}, at(5));
  const Decision resize = scheduler.on_event(Timer{}, at(60));
  ASSERT_EQ(actions_of<ResizeAttempt>(resize).size(), 1U);
  const AttemptId next = actions_of<ResizeAttempt>(resize)[0].to;

  const Decision cancelled = scheduler.on_event(JobCancelled{JobId{7}, "no good"}, at(61));
  const Decision resized =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::resized, "", 9}, at(62));
  const Decision end = scheduler.on_event(AttemptEnded{next, EndReason::preempted, "", 9}, at(63));

  EXPECT_TRUE(actions_of<StopAttempt>(cancelled).empty());
  ASSERT_EQ(actions_of<StopAttempt>(resized).size(), 1U);
  EXPECT_EQ(actions_of<StopAttempt>(resized)[0].attempt, next);
  ASSERT_EQ(actions_of<GiveUpJob>(end).size(), 1U);
  EXPECT_EQ(scheduler.unfinished(), 1U);
}

}  // namespace
}  // namespace mimus::scheduler::test
