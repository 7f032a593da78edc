// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

std::vector<StartAttempt> starts(const Decision& decision) {
  return actions_of<StartAttempt>(decision);
}

TEST(Scheduler, StartsAJobThatFitsAtOnce) {
  Scheduler scheduler(shape(1, 4), policy("{}"));

  const Decision decision = scheduler.on_event(JobArrived{job(0, 2, 5)}, at(5));

  ASSERT_EQ(starts(decision).size(), 1U);
  EXPECT_EQ(starts(decision)[0].attempt, AttemptId{0});
  EXPECT_EQ(starts(decision)[0].batch, (BatchPlan{32, 1}));
  EXPECT_EQ(decision.wake_up, kNever);
  EXPECT_EQ(scheduler.cluster().idle_gpus(), 2);
  EXPECT_EQ(scheduler.job(JobId{0}).state, JobState::starting);
}

TEST(Scheduler, KeepsTheBeliefAboutAJobUpToDate) {
  Scheduler scheduler(shape(1, 4), policy("{}"));
  (void)scheduler.on_event(JobArrived{job(0, 2, 5)}, at(5));

  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(7));
  (void)scheduler.on_event(ProgressReported{AttemptId{0}, {640, 120, 64}}, at(8));
  const JobView running = scheduler.job(JobId{0});
  (void)scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 700}, at(15));
  const JobView& ended = scheduler.job(JobId{0});

  EXPECT_EQ(running.state, JobState::running);
  EXPECT_EQ(running.stepping_since, at(7));
  EXPECT_EQ(running.progress.noise_scale, 120);
  EXPECT_EQ(running.service(at(10)).count(), seconds(10).count());
  EXPECT_EQ(ended.state, JobState::finished);
  EXPECT_EQ(ended.attained_time.count(), seconds(20).count());
  EXPECT_EQ(ended.first_start, at(5));
  EXPECT_EQ(ended.attempts, 1);
  EXPECT_EQ(ended.progress.samples_done, 700);
  EXPECT_FALSE(ended.holds_gpus());
  EXPECT_EQ(scheduler.unfinished(), 0U);
  EXPECT_EQ(scheduler.cluster().idle_gpus(), 4);
}

TEST(Scheduler, TheHeadOfAStrictQueueBlocksLaterJobs) {
  Scheduler scheduler(shape(1, 4), policy("order: fifo"));
  (void)scheduler.on_event(JobArrived{job(0, 3)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1, 2, 1)}, at(1));

  const Decision decision = scheduler.on_event(JobArrived{job(2, 1, 2)}, at(2));

  EXPECT_TRUE(decision.actions.empty());
  EXPECT_THAT(scheduler.queue(), ElementsAre(JobId{1}, JobId{2}));
  EXPECT_EQ(scheduler.job(JobId{1}).waits_for, WaitCause::capacity);
  EXPECT_EQ(scheduler.job(JobId{2}).waits_for, WaitCause::order);
}

TEST(Scheduler, ASkippingQueueStartsWhateverFits) {
  Scheduler scheduler(shape(1, 4), policy("order: {name: fifo, skip: true}"));
  (void)scheduler.on_event(JobArrived{job(0, 3)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1, 2, 1)}, at(1));

  const Decision decision = scheduler.on_event(JobArrived{job(2, 1, 2)}, at(2));

  ASSERT_EQ(starts(decision).size(), 1U);
  EXPECT_EQ(starts(decision)[0].job, JobId{2});
}

TEST(Scheduler, DecidesOnceForSimultaneousEvents) {
  Scheduler scheduler(shape(1, 1), policy("order: sjf"));
  JobView slow = job(0);
  JobView fast = job(1);
  slow.user_estimate = seconds(100);
  fast.user_estimate = seconds(10);
  const std::vector<Event> both{JobArrived{slow}, JobArrived{fast}};

  const Decision decision = scheduler.on_events(both, at(0));

  ASSERT_EQ(starts(decision).size(), 1U);
  EXPECT_EQ(starts(decision)[0].job, JobId{1});
}

// Eight idle GPUs as 1+1+…: quota and capacity are not an obstacle, but locality is (Philly).
TEST(Scheduler, ChargesScatteredGpusToFragmentation) {
  Scheduler scheduler(shape(8, 8), policy("placement: strict"));
  for (int node = 0; node < 8; ++node) {
    (void)scheduler.on_event(JobArrived{job(node, 7)}, at(0));
  }
  ASSERT_EQ(scheduler.cluster().idle_gpus(), 8);

  const Decision decision = scheduler.on_event(JobArrived{job(8, 8, 1)}, at(1));

  EXPECT_TRUE(decision.actions.empty());
  EXPECT_EQ(scheduler.job(JobId{8}).waits_for, WaitCause::fragmentation);
}

TEST(Scheduler, WakesToRelaxLocalityAndStartsThen) {
  // Four jobs fill two nodes of two GPUs. One job on each node ends, so 1+1 is free in one rack.
  const ClusterShape s = shape(2, 2);
  Scheduler scheduler(s, policy("placement: relaxed"));
  for (int id = 0; id < 4; ++id) (void)scheduler.on_event(JobArrived{job(id)}, at(0));
  (void)scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 0}, at(1));
  (void)scheduler.on_event(AttemptEnded{AttemptId{2}, EndReason::finished, "", 0}, at(1));

  const Decision waiting = scheduler.on_event(JobArrived{job(12, 2, 2)}, at(2));
  const WaitCause cause = scheduler.job(JobId{12}).waits_for;
  const Decision relaxed = scheduler.on_event(Timer{}, at(122));

  EXPECT_TRUE(waiting.actions.empty());
  EXPECT_EQ(cause, WaitCause::fragmentation);
  EXPECT_EQ(waiting.wake_up, at(122));
  ASSERT_EQ(starts(relaxed).size(), 1U);
  EXPECT_EQ(s.locality(starts(relaxed)[0].allocation.slots), Locality::same_rack);
}

TEST(Scheduler, GivesUpAGangLargerThanTheClusterAtOnce) {
  Scheduler scheduler(shape(2, 4), policy("{}"));

  const Decision decision = scheduler.on_event(JobArrived{job(0, 9)}, at(0));

  const auto given_up = actions_of<GiveUpJob>(decision);
  ASSERT_EQ(given_up.size(), 1U);
  EXPECT_EQ(given_up[0].reason, "asks for 9 GPUs, but the cluster has 8");
  EXPECT_EQ(scheduler.job(JobId{0}).state, JobState::rejected);
  EXPECT_EQ(scheduler.unfinished(), 0U);
}

TEST(Scheduler, GivesUpAModelThatDoesNotFitAGpu) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  JobView large = job(0);
  large.model.base_memory = Bytes{15.5e9};

  const auto given_up = actions_of<GiveUpJob>(scheduler.on_event(JobArrived{large}, at(0)));

  ASSERT_EQ(given_up.size(), 1U);
  EXPECT_EQ(given_up[0].reason,
            "needs 16.3 GB per GPU with its smallest batch of 8, but a GPU has 16 GB");
}

TEST(Scheduler, AccumulatesWhenTheBatchDoesNotFitTheGpu) {
  // 16 GB hold 140 samples of 0.1 GB beside 2 GB. 200 samples take two micro-batches of 100.
  Scheduler scheduler(shape(1, 1), policy("{}"));
  JobView view = job(0);
  view.model.per_gpu_batch_max = 512;
  view.requested_batch = 200;

  const Decision decision = scheduler.on_event(JobArrived{view}, at(0));

  EXPECT_EQ(starts(decision).at(0).batch, (BatchPlan{100, 2}));
}

TEST(Scheduler, AcceptsTheNaturalEndOfAnAttemptThatIsBeingStopped) {
  Scheduler scheduler(shape(1, 1),
                      policy("{order: sjf, preemption: {name: checkpoint, min_run: 0 s}}"));
  JobView slow = job(0);
  JobView fast = job(1, 1, 1);
  slow.user_estimate = seconds(100);
  fast.user_estimate = seconds(10);
  (void)scheduler.on_event(JobArrived{slow}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));
  const Decision stop = scheduler.on_event(JobArrived{fast}, at(1));
  ASSERT_EQ(actions_of<StopAttempt>(stop).size(), 1U);
  EXPECT_EQ(scheduler.job(JobId{0}).waits_for, WaitCause::restart);

  const Decision end =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 1}, at(1.5));

  EXPECT_EQ(scheduler.job(JobId{0}).state, JobState::finished);
  EXPECT_EQ(starts(end).at(0).job, JobId{1});
  EXPECT_EQ(scheduler.unfinished(), 1U);
}

TEST(Scheduler, IgnoresLateReportsAndRefusesASecondEnd) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  const AttemptEnded end{AttemptId{0}, EndReason::finished, "", 0};
  (void)scheduler.on_event(end, at(1));

  EXPECT_TRUE(scheduler.on_event(ProgressReported{AttemptId{0}, {}}, at(2)).actions.empty());
  EXPECT_TRUE(scheduler.on_event(AttemptStarted{AttemptId{0}}, at(2)).actions.empty());
  EXPECT_THROW((void)scheduler.on_event(end, at(3)), InternalError);
}

TEST(Scheduler, RefusesTimeThatRunsBackwards) {
  Scheduler scheduler(shape(1, 1), policy("{}"));
  (void)scheduler.on_event(Timer{}, at(5));

  EXPECT_THROW((void)scheduler.on_event(Timer{}, at(4)), InternalError);
}

TEST(Scheduler, AvoidsANodeThatIsDownUntilItIsUpAgain) {
  Scheduler scheduler(shape(2, 1), policy("{}"));
  (void)scheduler.on_event(NodeDown{NodeId{0}}, at(0));

  const Decision one = scheduler.on_event(JobArrived{job(0)}, at(1));
  const Decision two = scheduler.on_event(JobArrived{job(1)}, at(1));
  const Decision up = scheduler.on_event(NodeUp{NodeId{0}}, at(2));

  EXPECT_EQ(starts(one).at(0).allocation.slots.at(0).gpu, GpuId{1});
  EXPECT_TRUE(two.actions.empty());
  EXPECT_EQ(starts(up).at(0).allocation.slots.at(0).gpu, GpuId{0});
}

TEST(Scheduler, RetunesARunningJobByItsReportedNoiseScale) {
  Scheduler scheduler(shape(1, 2), policy("batch: goodput"));
  const Decision start = scheduler.on_event(JobArrived{job(0, 2)}, at(0));
  EXPECT_EQ(starts(start).at(0).batch, (BatchPlan{32, 1}));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));

  // Evaluations are due at 31 s, 61 s, …; reports may be 3 s early.
  const auto report = [&scheduler](double samples, double noise_scale, double now) {
    return scheduler.on_event(ProgressReported{AttemptId{0}, {samples, noise_scale, 100}}, at(now));
  };
  const Decision too_soon = report(50, 1e6, 27.5);
  const Decision first = report(100, 1e6, 35);
  const Decision early = report(200, 1, 57.5);
  const Decision later = report(300, 1, 58);

  EXPECT_TRUE(too_soon.actions.empty());
  EXPECT_EQ(actions_of<RetuneBatch>(first).at(0).batch.per_gpu, 64);
  EXPECT_TRUE(early.actions.empty());
  EXPECT_EQ(actions_of<RetuneBatch>(later).at(0).batch, (BatchPlan{16, 1}));
  EXPECT_EQ(scheduler.job(JobId{0}).batch, (BatchPlan{16, 1}));
  EXPECT_EQ(scheduler.cluster().gpu(GpuId{0}).used_memory(), facts().memory(16));
}

// 64 samples need 8.4 GB, and twice that exceeds 16 GB. With 32 samples, 5.2 GB are enough.
TEST(Scheduler, ASmallerBatchMakesRoomForACoTenantAtOnce) {
  Scheduler scheduler(shape(1, 1, 2), policy("{batch: goodput, sharing: tenants}"));
  JobView large = job(0);
  large.requested_batch = 64;
  (void)scheduler.on_event(JobArrived{large}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  large.id = JobId{1};
  const Decision waits = scheduler.on_event(JobArrived{large}, at(2));

  const Decision retuned =
      scheduler.on_event(ProgressReported{AttemptId{0}, {100, 0.001, 100}}, at(31));

  EXPECT_TRUE(waits.actions.empty());
  EXPECT_EQ(actions_of<RetuneBatch>(retuned).at(0).batch, (BatchPlan{32, 1}));
  EXPECT_EQ(starts(retuned).at(0).job, JobId{1});
}

TEST(Scheduler, SharesGpusUpToTheirLanes) {
  Scheduler scheduler(shape(1, 1, 2), policy("sharing: tenants"));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));

  const Decision second = scheduler.on_event(JobArrived{job(1)}, at(1));
  const Decision third = scheduler.on_event(JobArrived{job(2)}, at(2));

  EXPECT_EQ(starts(second).at(0).allocation.slots.at(0), (Slot{GpuId{0}, LaneId{1}}));
  EXPECT_TRUE(third.actions.empty());
  EXPECT_EQ(scheduler.job(JobId{2}).waits_for, WaitCause::capacity);
}

TEST(Scheduler, ChargesMissingMemoryBesideTenantsToFragmentation) {
  // 5.2 GB + 5.2 GB + 8.4 GB do not fit into 16 GB although a lane is free.
  Scheduler scheduler(shape(1, 1, 3), policy("sharing: {name: tenants, per_gpu: 3}"));
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1)}, at(0));
  JobView large = job(2);
  large.requested_batch = 64;

  (void)scheduler.on_event(JobArrived{large}, at(1));

  EXPECT_EQ(scheduler.job(JobId{2}).waits_for, WaitCause::fragmentation);
}

}  // namespace
}  // namespace mimus::scheduler::test
