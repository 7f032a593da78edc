// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/preemption/checkpoint.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::int64_t> stopped(const Decision& decision) {
  std::vector<std::int64_t> ids;
  for (const auto& stop : actions_of<StopAttempt>(decision)) ids.push_back(stop.attempt.value());
  return ids;
}

/// Interchangeable GPUs that hold `gangs` of running attempts, numbered from 0.
class CountingWhatIf final : public WhatIf {
 public:
  CountingWhatIf(std::vector<int> gangs, int idle, int need)
      : gangs_(std::move(gangs)), free_(idle), need_(need) {}
  void release(AttemptId attempt) override { free_ += gangs_.at(attempt.index()); }
  void restore(AttemptId attempt) override { free_ -= gangs_.at(attempt.index()); }
  [[nodiscard]] bool fits() const override { return free_ >= need_; }

 private:
  std::vector<int> gangs_;
  int free_;
  int need_;
};

std::vector<AttemptId> victims(const std::vector<int>& gangs_worst_first, int idle, int need) {
  std::vector<JobView> views(gangs_worst_first.size());
  std::vector<const JobView*> worse;
  for (std::size_t i = 0; i < views.size(); ++i) {
    views[i].attempt = AttemptId{static_cast<std::int64_t>(i)};
    worse.push_back(&views[i]);
  }
  CountingWhatIf what_if(gangs_worst_first, idle, need);
  return Checkpoint({.min_run = Duration::zero()}).victims(worse, what_if);
}

TEST(CheckpointVictims, AreTheWorstRankedOnes) {
  EXPECT_THAT(victims({1, 1, 1}, 0, 2), ElementsAre(AttemptId{0}, AttemptId{1}));
}

TEST(CheckpointVictims, SpareThoseWhoseGpusAreNotNeeded) {
  // Worst first 1, 4: with 5 GPUs free for a need of 2, the worst one can be spared.
  EXPECT_THAT(victims({1, 4, 1}, 0, 2), ElementsAre(AttemptId{1}));
}

TEST(CheckpointVictims, AreNoneWhenStoppingAllIsNotEnough) {
  EXPECT_THAT(victims({1, 2}, 1, 5), IsEmpty());
  EXPECT_THAT(victims({}, 1, 5), IsEmpty());
}

TEST(CheckpointPreemption, StopsTheLongerJobForTheShorterOne) {
  Scheduler scheduler(shape(1, 2),
                      policy("{order: sjf, preemption: {name: checkpoint, min_run: 0 s}}"));
  (void)scheduler.on_event(JobArrived{estimated(0, 1, 0, 50)}, at(0));
  (void)scheduler.on_event(JobArrived{estimated(1, 1, 0, 90)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{1}}, at(0));

  const Decision decision = scheduler.on_event(JobArrived{estimated(2, 1, 1, 10)}, at(1));

  EXPECT_THAT(stopped(decision), ElementsAre(1));
  EXPECT_EQ(actions_of<StopAttempt>(decision)[0].reason, "yields to job 2");
  EXPECT_EQ(scheduler.job(JobId{1}).state, JobState::stopping);
}

TEST(CheckpointPreemption, KeepsFreedGpusForTheJobTheyWereFreedFor) {
  // Job 3 needs both GPUs. While the second victim is stopping, job 4, which ranks after job 3,
  // must not take what the first victim has freed.
  Scheduler scheduler(shape(1, 2),
                      policy("{order: sjf, preemption: {name: checkpoint, min_run: 0 s}}"));
  for (const int id : {0, 1}) {
    (void)scheduler.on_event(JobArrived{estimated(id, 1, 0, 90)}, at(0));
    (void)scheduler.on_event(AttemptStarted{AttemptId{id}}, at(0));
  }
  const Decision stop = scheduler.on_event(JobArrived{estimated(3, 2, 1, 10)}, at(1));
  EXPECT_THAT(stopped(stop), ElementsAre(1, 0));
  (void)scheduler.on_event(JobArrived{estimated(4, 1, 2, 20)}, at(2));

  const Decision first =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::preempted, "", 0}, at(3));
  EXPECT_EQ(scheduler.job(JobId{4}).waits_for, WaitCause::order);
  const Decision second =
      scheduler.on_event(AttemptEnded{AttemptId{1}, EndReason::preempted, "", 0}, at(4));

  EXPECT_THAT(first.actions, IsEmpty());
  EXPECT_EQ(actions_of<StartAttempt>(second).at(0).job, JobId{3});
}

TEST(CheckpointPreemption, LeavesAJobAloneForItsLeastRunTime) {
  Scheduler scheduler(shape(1, 1), policy("{order: sjf, preemption: checkpoint}"));
  (void)scheduler.on_event(JobArrived{estimated(0, 1, 0, 900)}, at(0));
  const Decision blocked = scheduler.on_event(JobArrived{estimated(1, 1, 1, 10)}, at(1));
  const Decision started = scheduler.on_event(AttemptStarted{AttemptId{0}}, at(30));
  const Decision due = scheduler.on_event(Timer{}, at(90));

  EXPECT_EQ(blocked.wake_up, kNever) << "a job that has not made a step cannot be stopped";
  EXPECT_THAT(started.actions, IsEmpty());
  EXPECT_EQ(started.wake_up, at(90));
  EXPECT_THAT(stopped(due), ElementsAre(0));
}

// The first job of "vision" waits for quota, so its second one must wait behind it in a strict
// queue, although it would be within the quota and ranks before the running job of "text".
TEST(CheckpointPreemption, StopsNobodyForAJobThatItsOwnGroupBlocks) {
  Scheduler scheduler(shape(1, 3), policy("{order: {name: sjf, skip: false}, "
                                          "admission: {name: quota, gpus: {vision: 2}}, "
                                          "preemption: {name: checkpoint, min_run: 0 s}}"));
  const auto arrive = [&](int id, int gang, double estimate, const char* virtual_cluster) {
    JobView view = estimated(id, gang, id, estimate);
    view.virtual_cluster = virtual_cluster;
    return scheduler.on_event(JobArrived{view}, at(id));
  };
  (void)arrive(0, 1, 5, "vision");
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));
  (void)arrive(1, 2, 90, "text");
  (void)scheduler.on_event(AttemptStarted{AttemptId{1}}, at(1));
  (void)arrive(2, 2, 10, "vision");

  const Decision decision = arrive(3, 1, 20, "vision");

  EXPECT_THAT(decision.actions, IsEmpty());
  EXPECT_EQ(scheduler.job(JobId{2}).waits_for, WaitCause::quota);
}

/// Jobs of virtual clusters with quotas, SJF with preemption. Job n arrives at n s.
class Quotas {
 public:
  explicit Quotas(int gpus, const std::string& quotas)
      : scheduler(shape(1, gpus),
                  policy("{order: sjf, preemption: {name: checkpoint, min_run: 0 s}, "
                         "admission: {name: quota, gpus: " +
                         quotas + "}}")) {}

  Decision arrive(int id, int gang, double estimate, const char* virtual_cluster) {
    JobView view = estimated(id, gang, id, estimate);
    view.virtual_cluster = virtual_cluster;
    return scheduler.on_event(JobArrived{view}, at(id));
  }
  /// It starts at once.
  void run(int id, int gang, double estimate, const char* virtual_cluster) {
    const Decision decision = arrive(id, gang, estimate, virtual_cluster);
    const AttemptId attempt = actions_of<StartAttempt>(decision).at(0).attempt;
    (void)scheduler.on_event(AttemptStarted{attempt}, at(id));
  }

  Scheduler scheduler;
};

// Job 1 of "text" ranks last, but stopping it would not help job 2 of "vision": its quota is used.
TEST(CheckpointPreemption, ForQuotaStopsOnlyJobsOfTheSameVirtualCluster) {
  Quotas cluster(4, "{vision: 2, text: 2}");
  cluster.run(0, 2, 50, "vision");
  cluster.run(1, 2, 90, "text");

  const Decision decision = cluster.arrive(2, 1, 10, "vision");

  EXPECT_THAT(stopped(decision), ElementsAre(0));
  EXPECT_EQ(cluster.scheduler.job(JobId{2}).waits_for, WaitCause::quota);
}

TEST(CheckpointPreemption, ForQuotaStopsNobodyRankedBefore) {
  Quotas cluster(4, "{vision: 2, text: 2}");
  cluster.run(0, 2, 5, "vision");
  cluster.run(1, 2, 90, "text");

  EXPECT_THAT(cluster.arrive(2, 1, 10, "vision").actions, IsEmpty());
}

// Job 2 needs the quota of jobs 0 and 1. While job 1 is stopping, job 3, which ranks after job 2,
// must not take what job 0 has given back.
TEST(CheckpointPreemption, KeepsFreedQuotaForTheJobItWasFreedFor) {
  Quotas cluster(8, "{vision: 2}");
  cluster.run(0, 1, 90, "vision");
  cluster.run(1, 1, 80, "vision");
  EXPECT_THAT(stopped(cluster.arrive(2, 2, 10, "vision")), ElementsAre(0, 1));
  (void)cluster.arrive(3, 1, 20, "vision");

  const Decision first =
      cluster.scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::preempted, "", 0}, at(4));
  const Decision second =
      cluster.scheduler.on_event(AttemptEnded{AttemptId{1}, EndReason::preempted, "", 0}, at(5));

  EXPECT_THAT(first.actions, IsEmpty());
  EXPECT_EQ(actions_of<StartAttempt>(second).at(0).job, JobId{2});
}

// While "vision" gives back what job 2 needs, idle GPUs are available to any allowed job.
TEST(CheckpointPreemption, ForQuotaKeepsNoIdleGpusFromOthers) {
  Quotas cluster(4, "{vision: 2, text: 2}");
  cluster.run(0, 2, 90, "vision");
  (void)cluster.arrive(1, 2, 10, "vision");

  const Decision decision = cluster.arrive(2, 2, 50, "text");

  EXPECT_EQ(actions_of<StartAttempt>(decision).at(0).job, JobId{2});
}

TEST(CheckpointPreemption, DoesNotStopAnybodyForAJobRankedAfterThem) {
  Scheduler scheduler(shape(1, 1),
                      policy("{order: sjf, preemption: {name: checkpoint, min_run: 0 s}}"));
  (void)scheduler.on_event(JobArrived{estimated(0, 1, 0, 10)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));

  EXPECT_THAT(scheduler.on_event(JobArrived{estimated(1, 1, 1, 20)}, at(1)).actions, IsEmpty());
}

TEST(CheckpointPreemption, WakesAtTheQueueCrossingOfARunningJob) {
  Scheduler scheduler(shape(1, 4), policy("{order: {name: las, limits: [3250 s, 7200 s]}, "
                                          "preemption: {name: checkpoint, min_run: 0 s}}"));
  (void)scheduler.on_event(JobArrived{job(0, 4)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));

  const Decision waiting = scheduler.on_event(JobArrived{job(1, 1, 10)}, at(10));
  const Decision crossing = scheduler.on_event(Timer{}, at(812.5));

  EXPECT_THAT(waiting.actions, IsEmpty());
  EXPECT_EQ(waiting.wake_up, at(812.5));
  EXPECT_THAT(stopped(crossing), ElementsAre(0));
}

// Two GPUs; J1 (2 GPUs, 2 s), J2 (1 GPU, 8 s), J3 (2 GPUs, 6 s), all at t = 0. Continuous 2D-LAS
// in quanta of 1 s, ties by id, ends them at 5, 14 and 16 s (Tiresias, NSDI'19, Fig. 5).
TEST(CheckpointPreemption, ReproducesTheToyExampleOfTiresias) {
  Driver driver(shape(1, 2),
                policy("{order: {name: las, quantum: 1 s}, preemption: {name: checkpoint, "
                       "min_run: 0 s}}"),
                {});
  driver.submit(job(1, 2), {.work = seconds(2)});
  driver.submit(job(2, 1), {.work = seconds(8)});
  driver.submit(job(3, 2), {.work = seconds(6)});

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_EQ(driver.outcome(1).end, at(5));
  EXPECT_EQ(driver.outcome(2).end, at(14));
  EXPECT_EQ(driver.outcome(3).end, at(16));
}

// Without preemption the same jobs run one after the other: 2, 10, 16 s.
TEST(CheckpointPreemption, IsOffByDefault) {
  Driver driver(shape(1, 2), policy("order: las"), {});
  driver.submit(job(1, 2), {.work = seconds(2)});
  driver.submit(job(2, 1), {.work = seconds(8)});
  driver.submit(job(3, 2), {.work = seconds(6)});

  driver.run();

  EXPECT_EQ(driver.outcome(1).end, at(2));
  EXPECT_EQ(driver.outcome(2).end, at(10));
  EXPECT_EQ(driver.outcome(3).end, at(16));
}

TEST(CheckpointPreemption, DoesNotThrashBetweenTwoEqualJobs) {
  // Two jobs of 600 s on one GPU with at least 60 s each time: at most 20 turns.
  Driver driver(shape(1, 1), policy("{order: las, preemption: checkpoint}"),
                {.start = seconds(30), .stop = seconds(5)});
  driver.submit(job(0), {.work = seconds(600)});
  driver.submit(job(1), {.work = seconds(600)});

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_TRUE(driver.outcome(0).finished && driver.outcome(1).finished);
  EXPECT_LE(driver.outcome(0).preemptions + driver.outcome(1).preemptions, 20);
  EXPECT_GE(driver.outcome(0).preemptions, 1);
}

}  // namespace
}  // namespace mimus::scheduler::test
