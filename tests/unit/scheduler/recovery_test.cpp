// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/recovery/adaptive.hpp"

namespace mimus::scheduler::test {
namespace {

/// A scheduler of one node, with one GPU by default, on which job 0 requests `batch` samples and
/// runs as attempt 0.
Scheduler with_running_job(const std::string& yaml, std::int64_t batch = 64, int gpus = 1) {
  Scheduler scheduler(shape(1, gpus), policy(yaml));
  JobView view = job(0);
  view.requested_batch = batch;
  (void)scheduler.on_event(JobArrived{view}, at(0));
  return scheduler;
}

AttemptEnded failed(int attempt, EndReason reason) {
  return {AttemptId{attempt}, reason, "illegal memory access", 0.0};
}

TEST(RetryRecovery, StartsAgainAsOftenAsItIsTold) {
  Scheduler scheduler = with_running_job("recovery: {name: retry, retries: 2}");

  for (const int attempt : {0, 1}) {
    const Decision again = scheduler.on_event(failed(attempt, EndReason::failed), at(1 + attempt));
    EXPECT_EQ(actions_of<StartAttempt>(again).size(), 1U);
  }
  const Decision last = scheduler.on_event(failed(2, EndReason::failed), at(9));

  ASSERT_EQ(actions_of<GiveUpJob>(last).size(), 1U);
  EXPECT_EQ(actions_of<GiveUpJob>(last)[0].reason, "failed 3 times, last: illegal memory access");
  EXPECT_EQ(scheduler.job(JobId{0}).state, JobState::failed);
  EXPECT_EQ(scheduler.unfinished(), 0U);
}

TEST(RetryRecovery, HoldsTheJobBackForTheDelay) {
  Scheduler scheduler = with_running_job("recovery: {name: retry, delay: 20 s}");

  const Decision held = scheduler.on_event(failed(0, EndReason::failed), at(5));
  EXPECT_EQ(scheduler.job(JobId{0}).waits_for, WaitCause::backoff);
  EXPECT_THAT(scheduler.queue(), ::testing::ElementsAre(JobId{0}));
  const Decision due = scheduler.on_event(Timer{}, at(25));

  EXPECT_TRUE(held.actions.empty());
  EXPECT_EQ(held.wake_up, at(25));
  EXPECT_EQ(actions_of<StartAttempt>(due).size(), 1U);
}

TEST(RetryRecovery, HalvesThePerGpuBatchAfterRunningOutOfMemory) {
  Scheduler scheduler = with_running_job("{}");

  const Decision half = scheduler.on_event(failed(0, EndReason::out_of_memory), at(1));
  const Decision quarter = scheduler.on_event(failed(1, EndReason::out_of_memory), at(2));

  EXPECT_EQ(actions_of<StartAttempt>(half).at(0).batch, (BatchPlan{32, 2}));
  EXPECT_EQ(actions_of<StartAttempt>(quarter).at(0).batch, (BatchPlan{16, 4}));
  EXPECT_EQ(scheduler.job(JobId{0}).memory_failures, 2);
}

TEST(RetryRecovery, GivesUpWhenTheSmallestBatchRunsOutOfMemory) {
  Scheduler scheduler = with_running_job("recovery: {name: retry, retries: 0}", 16);

  const Decision half = scheduler.on_event(failed(0, EndReason::out_of_memory), at(1));
  const Decision none = scheduler.on_event(failed(1, EndReason::out_of_memory), at(2));

  EXPECT_EQ(actions_of<StartAttempt>(half).at(0).batch, (BatchPlan{8, 2}));
  EXPECT_EQ(actions_of<GiveUpJob>(none).at(0).reason,
            "out of memory with 8 samples per GPU, its smallest batch");
}

TEST(RetryRecovery, CanGiveUpAtTheFirstOutOfMemory) {
  Scheduler scheduler = with_running_job("recovery: {name: retry, on_oom: give_up}");

  const Decision decision = scheduler.on_event(failed(0, EndReason::out_of_memory), at(1));

  EXPECT_EQ(actions_of<GiveUpJob>(decision).at(0).reason, "out of memory with 64 samples per GPU");
}

TEST(RetryRecovery, ANodeThatGoesDownCostsNoRetry) {
  Scheduler scheduler = with_running_job("recovery: {name: retry, retries: 0}");

  const std::vector<Event> events{NodeDown{NodeId{0}}, failed(0, EndReason::node_down)};
  const Decision down = scheduler.on_events(events, at(1));
  const Decision up = scheduler.on_event(NodeUp{NodeId{0}}, at(2));

  EXPECT_TRUE(down.actions.empty());
  EXPECT_EQ(actions_of<StartAttempt>(up).size(), 1U);
  EXPECT_EQ(scheduler.job(JobId{0}).failures, 0);
}

TEST(RetryRecovery, ALostGpuCostsNoRetryAndIsNeverUsedAgain) {
  // The job runs on GPU 0, continues on GPU 1, and then no GPU is left.
  Scheduler scheduler = with_running_job("recovery: {name: retry, retries: 0}", 64, 2);

  const std::vector<Event> first{failed(0, EndReason::worker_lost), GpuDown{GpuId{0}, ""}};
  const Decision moved = scheduler.on_events(first, at(1));
  const Decision up = scheduler.on_event(NodeUp{NodeId{0}}, at(2));  // a node brings no GPU back
  const int idle = scheduler.cluster().idle_gpus();
  const std::vector<Event> second{failed(1, EndReason::worker_lost), GpuDown{GpuId{1}, ""}};
  const Decision none = scheduler.on_events(second, at(3));

  EXPECT_EQ(actions_of<StartAttempt>(moved).at(0).allocation.slots.at(0).gpu, GpuId{1});
  EXPECT_TRUE(up.actions.empty());
  EXPECT_EQ(idle, 0);
  EXPECT_EQ(actions_of<GiveUpJob>(none).at(0).reason,
            "asks for 1 GPUs, but of the cluster's 2 only 0 are left");
  EXPECT_EQ(scheduler.job(JobId{0}).failures, 0);
}

TEST(RetryRecovery, JobsThatWaitForMoreGpusThanAreLeftAreGivenUp) {
  Scheduler scheduler = with_running_job("order: fifo", 64, 2);
  // One of the two GPUs is in use.
  ASSERT_TRUE(scheduler.on_event(JobArrived{job(1, 2, 1)}, at(1)).actions.empty());

  const Decision lost = scheduler.on_event(GpuDown{GpuId{1}, ""}, at(2));
  const Decision refused = scheduler.on_event(JobArrived{job(2, 2, 3)}, at(3));

  EXPECT_EQ(actions_of<GiveUpJob>(lost).at(0).job, JobId{1});
  EXPECT_EQ(actions_of<GiveUpJob>(refused).at(0).reason,
            "asks for 2 GPUs, but of the cluster's 2 only 1 is left");
  EXPECT_EQ(scheduler.queued(), 0U);
}

AttemptEnded failed_with(int attempt, const std::string& reason) {
  return {AttemptId{attempt}, EndReason::failed, reason, 0.0};
}

TEST(AdaptiveRecovery, GivesUpWhatItsUserHasToMend) {
  Scheduler scheduler = with_running_job("recovery: adaptive");

  const Decision last = scheduler.on_event(failed_with(0, "syntax error"), at(60));

  ASSERT_EQ(actions_of<GiveUpJob>(last).size(), 1U);
  EXPECT_EQ(actions_of<GiveUpJob>(last)[0].reason, "syntax error: would fail again");
}

// Acme's failures of scripts, of infrastructure and of frameworks.
TEST(AdaptiveRecovery, KnowsTheClassesOfAcme) {
  EXPECT_EQ(cause_of_failure("file not found"), FailureCause::of_user);
  EXPECT_EQ(cause_of_failure("NVLink error"), FailureCause::transient);
  EXPECT_EQ(cause_of_failure("dataloader killed"), FailureCause::unknown);
}

// The attempts run for 100, 200, 300, ... s, so that none fails as the one before.
TEST(AdaptiveRecovery, WaitsTwiceAsLongAfterEachTransientFailure) {
  Scheduler scheduler = with_running_job("recovery: {name: adaptive, transient_retries: 3}");
  double now = 0.0;
  std::vector<double> delays;
  Decision decision;
  for (int attempt = 0; attempt <= 3; ++attempt) {
    now += 100.0 * (attempt + 1);
    decision = scheduler.on_event(failed_with(attempt, "MPI error"), at(now));
    if (decision.wake_up == kNever) break;
    delays.push_back(to_seconds(decision.wake_up - at(now)));
    now = to_seconds(decision.wake_up.time_since_epoch());
    (void)scheduler.on_event(Timer{}, decision.wake_up);
  }

  EXPECT_THAT(delays, ::testing::ElementsAre(60, 120, 240));
  ASSERT_EQ(actions_of<GiveUpJob>(decision).size(), 1U);
  EXPECT_EQ(actions_of<GiveUpJob>(decision)[0].reason, "MPI error: failed too often");
}

TEST(AdaptiveRecovery, GivesUpWhatFailsInTheSameWayAsLongAfterItsStart) {
  Scheduler scheduler = with_running_job("recovery: {name: adaptive, delay: 0 s}");
  (void)scheduler.on_event(failed_with(0, "CUDA failure"), at(100));

  const Decision second = scheduler.on_event(failed_with(1, "CUDA failure"), at(219));

  ASSERT_EQ(actions_of<GiveUpJob>(second).size(), 1U);
  EXPECT_EQ(actions_of<GiveUpJob>(second)[0].reason, "CUDA failure: failed like this before");
}

TEST(AdaptiveRecovery, TriesOnceMoreWhenTheLogSaysNothing) {
  Scheduler scheduler = with_running_job("recovery: adaptive");

  const Decision again = scheduler.on_event(failed_with(0, "no signature"), at(100));
  const Decision last = scheduler.on_event(failed_with(1, "no signature"), at(300));

  EXPECT_EQ(actions_of<StartAttempt>(again).size(), 1U);
  EXPECT_EQ(actions_of<GiveUpJob>(last).size(), 1U);
}

}  // namespace
}  // namespace mimus::scheduler::test
