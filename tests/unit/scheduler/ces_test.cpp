// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// After a step with all nodes on, as many are as are used, and others are switched off as soon as
/// use falls.
std::string eager(const std::string& more = "") {
  return "{order: {name: fifo, skip: true}, power: {name: ces, step: 10 min, boot: 5 min, "
         "history: 1, future: 1, drop: 0.1, future_drop: 0, least: 1, buffer: 0, keep: 0, "
         "warm_up: 1, forecast: flat}" +
         more + "}";
}

/// "node 2 asleep" and so on.
std::vector<std::string> changes(const Decision& decision) {
  std::vector<std::string> texts;
  for (const NodePowerChange& change : decision.power) {
    texts.push_back("node " + std::to_string(change.node.value()) + " " + name(change.state));
  }
  return texts;
}

Duration boot_wait(const Scheduler& scheduler, int job, Instant now) {
  return scheduler.waited(JobId{job}, now)[static_cast<std::size_t>(WaitCause::boot)];
}

AttemptEnded ended(int attempt) {
  return {AttemptId{attempt}, EndReason::finished, "", 0};
}

TEST(Ces, LetsNodesSleepThatNoJobUsesOnceTheStepIsOver) {
  Scheduler scheduler(shape(4, 1), policy(eager()));

  const Decision first = scheduler.on_event(JobArrived{job(0)}, at(0));
  const Decision step = scheduler.on_event(Timer{}, at(600));

  EXPECT_THAT(changes(first), IsEmpty());
  EXPECT_EQ(first.wake_up, at(600));
  EXPECT_THAT(changes(step), ElementsAre("node 1 asleep", "node 2 asleep", "node 3 asleep"));
}

TEST(Ces, AJobThatNeedsANodeWaitsForItToBoot) {
  Scheduler scheduler(shape(4, 1), policy(eager()));
  scheduler.set_wait_accounting(true);
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(Timer{}, at(600));

  const Decision arrival = scheduler.on_event(JobArrived{job(1)}, at(700));
  const WaitCause cause = scheduler.job(JobId{1}).waits_for;
  const Decision booted = scheduler.on_event(Timer{}, at(1000));

  EXPECT_TRUE(arrival.actions.empty());
  EXPECT_THAT(changes(arrival), ElementsAre("node 1 booting"));
  EXPECT_EQ(arrival.wake_up, at(1000));
  EXPECT_EQ(cause, WaitCause::boot);
  EXPECT_THAT(changes(booted), ElementsAre("node 1 on"));
  EXPECT_EQ(gpus_of(actions_of<StartAttempt>(booted).at(0).allocation), std::vector<int>{1});
  EXPECT_EQ(boot_wait(scheduler, 1, at(1000)), seconds(300));
}

TEST(Ces, KeepsNodesOnWhoseJobsRun) {
  Scheduler scheduler(shape(4, 1), policy(eager()));
  for (int id = 0; id < 4; ++id) (void)scheduler.on_event(JobArrived{job(id)}, at(0));
  (void)scheduler.on_event(ended(0), at(100));
  (void)scheduler.on_event(ended(2), at(200));
  (void)scheduler.on_event(Timer{}, at(600));  // four were used in the first step

  const Decision fallen = scheduler.on_event(Timer{}, at(1200));

  EXPECT_THAT(changes(fallen), ElementsAre("node 0 asleep", "node 2 asleep"));
}

TEST(Ces, WakesNodesForWholeGangs) {
  Scheduler scheduler(shape(4, 2), policy(eager()));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(Timer{}, at(600));

  const Decision arrival = scheduler.on_event(JobArrived{job(1, 4)}, at(700));

  EXPECT_THAT(changes(arrival), ElementsAre("node 1 booting", "node 2 booting"));
}

TEST(Ces, WakesNoNodeForJobsThatWaitForQuota) {
  Scheduler scheduler(shape(4, 1),
                      policy(eager(", admission: {name: quota, gpus: {vision: 1, text: 1}}")));
  (void)scheduler.on_event(JobArrived{job_of("vision", 0)}, at(0));
  (void)scheduler.on_event(Timer{}, at(600));

  const Decision held = scheduler.on_event(JobArrived{job_of("vision", 1)}, at(700));
  const WaitCause cause = scheduler.job(JobId{1}).waits_for;
  const Decision other = scheduler.on_event(JobArrived{job_of("text", 2)}, at(710));

  EXPECT_THAT(changes(held), IsEmpty());
  EXPECT_EQ(cause, WaitCause::quota);
  EXPECT_THAT(changes(other), ElementsAre("node 1 booting"));
}

TEST(Ces, WakesAnotherNodeForOneThatGoesDown) {
  Scheduler scheduler(shape(4, 1), policy(eager()));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(Timer{}, at(600));
  (void)scheduler.on_event(NodeDown{NodeId{0}}, at(700));

  const Decision lost = scheduler.on_event(
      AttemptEnded{AttemptId{0}, EndReason::node_down, "node 0 is down", 0}, at(700));

  EXPECT_THAT(changes(lost), ElementsAre("node 1 booting"));
}

TEST(Ces, AsksForNoWakeUpWhileNothingCanChange) {
  Scheduler scheduler(shape(4, 1), policy(eager()));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(Timer{}, at(600));

  const Decision later = scheduler.on_event(Timer{}, at(1200));

  EXPECT_EQ(later.wake_up, kNever);
}

// The second job ends and the third begins between two looks at the cluster, whose nodes it finds
// as they were: the step has still used two.
TEST(Ces, CountsTheMostNodesThatAStepHasUsed) {
  Scheduler scheduler(shape(4, 1), policy(eager()));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1)}, at(100));
  (void)scheduler.on_event(ended(1), at(500));

  const Decision step = scheduler.on_event(Timer{}, at(600));

  EXPECT_THAT(changes(step), ElementsAre("node 2 asleep", "node 3 asleep"));
}

}  // namespace
}  // namespace mimus::scheduler::test
