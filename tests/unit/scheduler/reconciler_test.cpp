// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Scheduler in_rounds(int gpus, const std::string& yaml) {
  return Scheduler(shape(1, gpus), policy(yaml));
}

TEST(Reconciler, StartsNothingBetweenTwoRounds) {
  Scheduler scheduler = in_rounds(4, "planner: {name: ranked, round: 60 s}");

  const Decision arrival = scheduler.on_event(JobArrived{job(0, 2, 10)}, at(10));
  const Decision round = scheduler.on_event(Timer{}, at(60));

  EXPECT_THAT(arrival.actions, IsEmpty());
  EXPECT_EQ(arrival.wake_up, at(60));
  EXPECT_EQ(actions_of<StartAttempt>(round).size(), 1U);
  EXPECT_EQ(round.wake_up, at(120));
}

// On the wall clock no event is at an exact multiple.
TEST(Reconciler, TakesARoundThatItIsLateFor) {
  Scheduler scheduler = in_rounds(4, "planner: {name: ranked, round: 60 s}");
  (void)scheduler.on_event(JobArrived{job(0, 2, 10)}, at(10));

  const Decision late = scheduler.on_event(Timer{}, at(60.25));
  const Decision again = scheduler.on_event(JobArrived{job(1, 2, 61)}, at(61));

  EXPECT_EQ(actions_of<StartAttempt>(late).size(), 1U);
  EXPECT_EQ(late.wake_up, at(120));
  EXPECT_THAT(again.actions, IsEmpty());
}

TEST(Reconciler, TakesARoundAtOnceWhenItIsTime) {
  Scheduler scheduler = in_rounds(4, "planner: {name: ranked, round: 60 s}");

  const Decision first = scheduler.on_event(JobArrived{job(0, 2)}, at(120));
  const Decision second = scheduler.on_event(JobArrived{job(1, 2)}, at(120));

  EXPECT_EQ(actions_of<StartAttempt>(first).size(), 1U);
  EXPECT_THAT(second.actions, IsEmpty());  // this round has already been decided
  EXPECT_EQ(second.wake_up, at(180));
}

// Job 2 takes the GPUs of job 0, and job 3 those of job 1, whose checkpoint takes longer.
TEST(Reconciler, StartsAJobWhenThoseWhoHoldItsGpusHaveLeft) {
  Scheduler scheduler = in_rounds(4, "{planner: {name: ranked, round: 60 s, order: sjf}}");
  const auto arrive = [&](int id, int gang, double estimate, double now) {
    JobView view = job(id, gang, now);
    view.user_estimate = seconds(estimate);
    return scheduler.on_event(JobArrived{view}, at(now));
  };
  (void)arrive(0, 2, 400, 0);
  (void)scheduler.on_event(Timer{}, at(60));
  (void)arrive(1, 2, 500, 70);
  (void)scheduler.on_event(Timer{}, at(120));
  (void)arrive(2, 2, 10, 130);
  (void)arrive(3, 2, 20, 130);
  const Decision stops = scheduler.on_event(Timer{}, at(180));

  const Decision first =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::preempted, "", 0}, at(183));
  const Decision second =
      scheduler.on_event(AttemptEnded{AttemptId{1}, EndReason::preempted, "", 0}, at(190));

  EXPECT_EQ(actions_of<StopAttempt>(stops).size(), 2U);
  EXPECT_EQ(stops.actions.size(), 2U);
  ASSERT_EQ(actions_of<StartAttempt>(first).size(), 1U);
  EXPECT_EQ(actions_of<StartAttempt>(first)[0].job, JobId{2});
  ASSERT_EQ(actions_of<StartAttempt>(second).size(), 1U);
  EXPECT_EQ(actions_of<StartAttempt>(second)[0].job, JobId{3});
}

// Oracle of builders.hpp: job 7 can use 8 GPUs, and job 8 one. Alone, job 7 gets all four GPUs.
// Then job 8 takes one, so job 7 continues with three. It is started last although it is earlier.
TEST(Reconciler, ResizesAJobByStoppingAndStartingIt) {
  Scheduler scheduler = in_rounds(4, "planner: {name: greedy, round: 60 s}");
  const Decision alone = scheduler.on_event(JobArrived{job(7)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  (void)scheduler.on_event(JobArrived{job(8, 1, 5)}, at(5));
  const Decision stops = scheduler.on_event(Timer{}, at(60));

  const Decision starts =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::preempted, "", 0}, at(60));

  EXPECT_EQ(actions_of<StartAttempt>(alone).at(0).allocation.slots.size(), 4U);
  EXPECT_EQ(actions_of<StopAttempt>(stops).at(0).reason, "is resized");
  const auto started = actions_of<StartAttempt>(starts);
  ASSERT_EQ(started.size(), 2U);
  EXPECT_EQ(started[0].job, JobId{8});
  EXPECT_EQ(started[1].job, JobId{7});
  EXPECT_EQ(started[1].allocation.slots.size(), 3U);
  EXPECT_EQ(scheduler.job(JobId{7}).service(at(70)).count(), seconds(4 * 60 + 3 * 10).count());
}

// Job 7 could use four GPUs, but its virtual cluster has a quota of three.
TEST(Reconciler, KeepsAGangWithinItsQuota) {
  Scheduler scheduler = in_rounds(4,
                                  "{planner: {name: greedy, round: 60 s}, "
                                  "admission: {name: quota, gpus: {default: 3}}}");

  const Decision decision = scheduler.on_event(JobArrived{job(7)}, at(0));

  EXPECT_EQ(actions_of<StartAttempt>(decision).at(0).allocation.slots.size(), 3U);
}

/// Jobs that start in the round at 60 s, with their GPUs.
std::vector<std::pair<int, int>> started_in_round(const std::string& planner,
                                                  const std::vector<JobView>& jobs, int gpus) {
  Scheduler scheduler =
      in_rounds(gpus, "{admission: {name: quota, gpus: {A: 4, B: 4}}, " + planner + "}");
  for (const JobView& job : jobs) (void)scheduler.on_event(JobArrived{job}, job.arrival);
  std::vector<std::pair<int, int>> sizes;
  for (const auto& start : actions_of<StartAttempt>(scheduler.on_event(Timer{}, at(60)))) {
    sizes.emplace_back(static_cast<int>(start.job.value()),
                       static_cast<int>(start.allocation.slots.size()));
  }
  return sizes;
}

// GPUs that quota denies to the jobs of A go to the job of B. Job 55 can use 8 GPUs.
TEST(Reconciler, HandsToOthersWhatAQuotaRefuses) {
  EXPECT_THAT(started_in_round("planner: {name: ranked, round: 60 s}",
                               {job_of("A", 0, 4, 1), job_of("A", 1, 4, 2), job_of("A", 2, 4, 3),
                                job_of("B", 3, 4, 4)},
                               8),
              ElementsAre(Pair(0, 4), Pair(3, 4)));
  std::vector<JobView> jobs;
  for (int id = 0; id < 6; ++id) jobs.push_back(job_of("A", 8 * id, 1, 1 + id));
  jobs.push_back(job_of("B", 55, 1, 9));
  EXPECT_THAT(started_in_round("planner: {name: greedy, round: 60 s}", jobs, 6),
              ElementsAre(Pair(0, 1), Pair(8, 1), Pair(16, 1), Pair(24, 1), Pair(55, 2)));
}

// Job 2 of A ranks before both others. It may only replace job 0 of A, because their quota is four
// GPUs. Job 1 of B stays.
TEST(Reconciler, StopsNobodyForAJobThatQuotaRefuses) {
  Scheduler scheduler = in_rounds(8,
                                  "{planner: {name: ranked, round: 60 s, order: sjf}, "
                                  "admission: {name: quota, gpus: {A: 4, B: 4}}}");
  const auto arrive = [&](JobView view, double estimate) {
    view.user_estimate = seconds(estimate);
    return scheduler.on_event(JobArrived{view}, view.arrival);
  };
  (void)arrive(job_of("A", 0, 4, 0), 100);
  (void)arrive(job_of("B", 1, 4, 1), 900);
  (void)scheduler.on_event(Timer{}, at(60));
  (void)arrive(job_of("A", 2, 4, 70), 10);

  const auto stops = actions_of<StopAttempt>(scheduler.on_event(Timer{}, at(120)));

  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].attempt, scheduler.job(JobId{0}).attempt);
}

/// Asks for a GPU too many at first, and for the next plan five seconds later.
class Greedy final : public Planner {
 public:
  [[nodiscard]] Plan plan(const PlanQuery& query) override {
    const bool patient = query.now >= at(5);
    Plan plan{.targets = {}, .next = patient ? kNever : query.now + seconds(5)};
    for (const PlanJob& job : query.jobs) {
      plan.targets.push_back({.job = job.view->id, .gpus = GpuCount{patient ? 4 : 5}});
    }
    return plan;
  }
  [[nodiscard]] Wakes wakes() const override { return {.arrivals = true}; }
};

TEST(Reconciler, AsksAgainWhenARefusedPlanSays) {
  Policy row = policy("{planner: ranked}");
  row.planner = std::make_unique<Greedy>();
  Scheduler scheduler(shape(1, 4), std::move(row));

  const Decision arrival = scheduler.on_event(JobArrived{job(0)}, at(0));
  EXPECT_NE(arrival.refused_plan, "");
  EXPECT_EQ(arrival.wake_up, at(5));
  EXPECT_EQ(actions_of<StartAttempt>(scheduler.on_event(Timer{}, at(5))).size(), 1U);
}

TEST(Reconciler, RefusesAPlanThatBreaksAReplica) {
  Policy row = policy("{planner: ranked}");
  row.planner = std::make_unique<Greedy>();
  Scheduler scheduler(shape(1, 8), std::move(row));
  JobView split = job(0, 4);
  split.replica_gpus = 4;

  const Decision arrival = scheduler.on_event(JobArrived{split}, at(0));

  EXPECT_THAT(arrival.refused_plan,
              ::testing::HasSubstr("is to have 5 GPUs, but a replica of its model takes 4"));
  EXPECT_EQ(actions_of<StartAttempt>(scheduler.on_event(Timer{}, at(5))).size(), 1U);
}

/// Two GPUs for each job, whatever it asks for. Whom it is shown is told.
class Pairs final : public Planner {
 public:
  explicit Pairs(bool counts_replicas) : counts_replicas_(counts_replicas) {}
  [[nodiscard]] Plan plan(const PlanQuery& query) override {
    Plan plan;
    for (const PlanJob& job : query.jobs) {
      const int gpus = job.view->rigid ? job.view->requested_gang : 2;
      plan.targets.push_back({.job = job.view->id, .gpus = GpuCount{gpus}});
    }
    return plan;
  }
  [[nodiscard]] Wakes wakes() const override { return {.arrivals = true}; }
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool counts_replicas() const override { return counts_replicas_; }
  [[nodiscard]] bool resizes_in_place() const override { return true; }

 private:
  bool counts_replicas_;
};

TEST(Reconciler, LeavesSplitModelsTheirGangUnlessThePlannerCountsReplicas) {
  for (const bool counts : {false, true}) {
    Policy row = policy("{planner: ranked}");
    row.planner = std::make_unique<Pairs>(counts);
    Scheduler scheduler(shape(1, 8), std::move(row));
    JobView split = job(0, 4);
    split.replica_gpus = 2;

    const auto starts = actions_of<StartAttempt>(scheduler.on_event(JobArrived{split}, at(0)));

    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].allocation.slots.size(), counts ? 2U : 4U);
  }
}

TEST(Reconciler, LeavesAJobOfUnchangedSizeAlone) {
  Scheduler scheduler = in_rounds(4, "planner: {name: greedy, round: 60 s}");
  (void)scheduler.on_event(JobArrived{job(8)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));

  EXPECT_THAT(scheduler.on_event(Timer{}, at(60)).actions, IsEmpty());
}

TEST(Reconciler, AsksNoMoreWhenNoJobIsLeft) {
  Scheduler scheduler = in_rounds(4, "planner: {name: ranked, round: 60 s}");
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));

  const Decision last =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 0}, at(30));

  EXPECT_EQ(last.wake_up, kNever);
}

TEST(Reconciler, SurvivesAStopThatEndsWithTheJob) {
  Scheduler scheduler = in_rounds(4, "planner: {name: greedy, round: 60 s}");
  (void)scheduler.on_event(JobArrived{job(7)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  (void)scheduler.on_event(JobArrived{job(8, 1, 5)}, at(5));
  (void)scheduler.on_event(Timer{}, at(60));  // job 7 is to be resized

  const Decision starts =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 0}, at(61));

  const auto started = actions_of<StartAttempt>(starts);
  ASSERT_EQ(started.size(), 1U);
  EXPECT_EQ(started[0].job, JobId{8});
}

// 2 GPUs, two queues of 100 GPU-s, rounds of 60 s. Job 0 (2 GPUs, 150 s) is demoted in the round of
// 60 s (120 GPU-s), so job 1 (2 GPUs, 60 s) runs from 60 to 120 s and is demoted, too. Job 0 was
// demoted first and runs from 120 s on for its last 90 s.
TEST(Reconciler, SlicesTimeByLeastAttainedServiceInRounds) {
  Driver driver(shape(1, 2),
                policy("{planner: {name: ranked, round: 60 s, order: {name: las, limits: [100 s], "
                       "quantum: 60 s, within: entry}}}"),
                {});
  driver.submit(job(0, 2, 0), {.work = seconds(150)});
  driver.submit(job(1, 2, 10), {.work = seconds(70)});
  driver.run();

  EXPECT_EQ(driver.outcome(0).end, at(210));
  EXPECT_EQ(driver.outcome(1).end, at(250));
  EXPECT_EQ(driver.outcome(0).preemptions, 1);
  EXPECT_TRUE(driver.violations().empty());
}

}  // namespace
}  // namespace mimus::scheduler::test
