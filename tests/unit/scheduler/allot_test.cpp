// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/estimate/no_estimate.hpp"
#include "scheduler/order/fifo.hpp"
#include "scheduler/sizing/by_rank.hpp"
#include "scheduler/sizing/marginal_gain.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// T(n) = 1 s + 12 s ÷ n; job i has 10 × (i + 1) steps left and can use at most `most` GPUs.
class TwelveOverN final : public Oracle {
 public:
  explicit TwelveOverN(int most) : most_(most) {}
  [[nodiscard]] std::optional<Duration> run_time(JobId) const override { return std::nullopt; }
  [[nodiscard]] std::optional<double> steps_left(JobId job) const override {
    return 10.0 * static_cast<double>(job.value() + 1);
  }
  [[nodiscard]] std::optional<Duration> step_time(JobId, int gpus) const override {
    return from_seconds(1.0 + 12.0 / gpus);
  }
  [[nodiscard]] int most_gpus(JobId) const override { return most_; }

 private:
  int most_;
};

using Sizes = std::vector<std::pair<int, int>>;  ///< (job, GPUs)

Sizes allotted(const Sizing& sizing, const std::vector<JobView>& jobs, int gpus,
               const Order& order = Fifo(true), int most = 64) {
  std::vector<Contender> contenders;
  for (const JobView& job : jobs) contenders.push_back({&job, most});
  Sizes sizes;
  for (const Allotted& job :
       sizing.allot(contenders, {.now = at(0), .gpus = gpus, .order = order})) {
    sizes.emplace_back(static_cast<int>(job.job.value()), job.gpus);
  }
  return sizes;
}

MarginalGain marginal(int most = 64) {
  return MarginalGain({}, std::make_shared<TwelveOverN>(most));
}

// Savings of one more GPU: 12 s × (1/n − 1/(n+1)) × steps = (6, 2, 1, 0.6) × 10 for job 0, twice
// and three times as much for jobs 1 and 2. After 1 each, three more GPUs go for 180 (job 2 to 2),
// 120 (job 1 to 2) and then 60: job 0 to 2 and job 2 to 3 save alike, and job 0 is earlier.
TEST(MarginalGainSizing, GivesEachGpuToTheJobThatGainsMost) {
  const std::vector<JobView> jobs{job(0), job(1), job(2)};

  EXPECT_THAT(allotted(marginal(), jobs, 6), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 2)));
  EXPECT_THAT(allotted(marginal(), jobs, 7), ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 3)));
}

TEST(MarginalGainSizing, GivesOneGpuInOrderOfArrivalWhileThereAreAny) {
  EXPECT_THAT(allotted(marginal(), {job(2), job(0), job(1)}, 2),
              ElementsAre(Pair(2, 1), Pair(0, 1)));
}

TEST(MarginalGainSizing, StopsWhereAJobCannotUseMore) {
  EXPECT_THAT(allotted(marginal(3), {job(0), job(1)}, 64), ElementsAre(Pair(0, 3), Pair(1, 3)));
  EXPECT_THAT(allotted(marginal(), {job(0), job(1)}, 64, Fifo(true), 2),
              ElementsAre(Pair(0, 2), Pair(1, 2)));
  EXPECT_THAT(allotted(marginal(), {}, 64), IsEmpty());
}

TEST(MarginalGainSizing, AnswersInAscendingSize) {
  EXPECT_THAT(allotted(marginal(), {job(2), job(0)}, 4), ElementsAre(Pair(0, 1), Pair(2, 3)));
}

// 4 GPUs: the second job does not fit, the third passes it, unless the order blocks.
TEST(ByRankSizing, TakesWhateverFitsInOrderOfRank) {
  const std::vector<JobView> jobs{job(0, 2), job(1, 3), job(2, 2)};

  EXPECT_THAT(allotted(ByRank({}), jobs, 4), ElementsAre(Pair(0, 2), Pair(2, 2)));
  EXPECT_THAT(allotted(ByRank({}), jobs, 4, Fifo(false)), ElementsAre(Pair(0, 2)));
}

TEST(UsersBatch, IsAccumulatedOnASingleReplicaWhenItsNoiseIsMeasured) {
  JobView view = job(0, 1);
  view.requested_batch = 48;  // M0 is 32, a GPU takes 64
  const NoEstimate none;
  const BatchLimits limits{.per_gpu_min = 8, .per_gpu_max = 64, .total_max = 1024};
  const auto plan = [&](const char* yaml) {
    return policy(yaml).sizing->plan({view, nullptr, limits, none});
  };

  EXPECT_EQ(plan("sizing: fixed"), (BatchPlan{48, 1}));
  EXPECT_EQ(plan("sizing: {name: fixed, measurable: true}"), (BatchPlan{24, 2}));
  EXPECT_EQ(plan("sizing: {name: by_rank, measurable: true}"), (BatchPlan{24, 2}));
  view.requested_batch = 32;
  EXPECT_EQ(plan("sizing: {name: fixed, measurable: true}"), (BatchPlan{32, 1}));
}

Scheduler in_rounds(int gpus, const std::string& yaml) {
  return Scheduler(shape(1, gpus), policy(yaml));
}

TEST(Allotment, StartsNothingBetweenTwoRounds) {
  Scheduler scheduler = in_rounds(4, "sizing: {name: by_rank, round: 60 s}");

  const Decision arrival = scheduler.on_event(JobArrived{job(0, 2, 10)}, at(10));
  const Decision round = scheduler.on_event(Timer{}, at(60));

  EXPECT_THAT(arrival.actions, IsEmpty());
  EXPECT_EQ(arrival.wake_up, at(60));
  EXPECT_EQ(actions_of<StartAttempt>(round).size(), 1U);
  EXPECT_EQ(round.wake_up, at(120));
}

// On the wall clock nothing happens at an exact multiple.
TEST(Allotment, TakesARoundThatItIsLateFor) {
  Scheduler scheduler = in_rounds(4, "sizing: {name: by_rank, round: 60 s}");
  (void)scheduler.on_event(JobArrived{job(0, 2, 10)}, at(10));

  const Decision late = scheduler.on_event(Timer{}, at(60.25));
  const Decision again = scheduler.on_event(JobArrived{job(1, 2, 61)}, at(61));

  EXPECT_EQ(actions_of<StartAttempt>(late).size(), 1U);
  EXPECT_EQ(late.wake_up, at(120));
  EXPECT_THAT(again.actions, IsEmpty());
}

TEST(Allotment, TakesARoundAtOnceWhenItIsTime) {
  Scheduler scheduler = in_rounds(4, "sizing: {name: by_rank, round: 60 s}");

  const Decision first = scheduler.on_event(JobArrived{job(0, 2)}, at(120));
  const Decision second = scheduler.on_event(JobArrived{job(1, 2)}, at(120));

  EXPECT_EQ(actions_of<StartAttempt>(first).size(), 1U);
  EXPECT_THAT(second.actions, IsEmpty());  // this round has been decided
  EXPECT_EQ(second.wake_up, at(180));
}

TEST(Allotment, StartsOnlyWhenEveryStopOfTheRoundHasEnded) {
  Scheduler scheduler = in_rounds(4, "{order: sjf, sizing: {name: by_rank, round: 60 s}}");
  const auto arrive = [&](int id, int gang, double estimate, double now) {
    JobView view = job(id, gang, now);
    view.user_estimate = seconds(estimate);
    return scheduler.on_event(JobArrived{view}, at(now));
  };
  (void)arrive(0, 2, 500, 0);
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  (void)arrive(1, 4, 50, 10);
  const Decision stops = scheduler.on_event(Timer{}, at(60));

  const Decision starts =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::preempted, "", 0}, at(63));

  EXPECT_EQ(stops.actions.size(), 1U);
  EXPECT_EQ(actions_of<StopAttempt>(stops).at(0).attempt, AttemptId{0});
  EXPECT_EQ(starts.actions.size(), 1U);
  EXPECT_EQ(actions_of<StartAttempt>(starts).at(0).job, JobId{1});
}

// Oracle of builders.hpp: job 7 can use 8 GPUs, job 8 one. Alone, job 7 gets all four GPUs; then
// job 8 takes one, so job 7 goes on with three, which is started last although it is earlier.
TEST(Allotment, ResizesAJobByStoppingAndStartingIt) {
  Scheduler scheduler = in_rounds(4, "sizing: {name: marginal_gain, round: 60 s}");
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
  EXPECT_EQ(scheduler.job(JobId{7}).service(at(70)), seconds(4 * 60 + 3 * 10));
}

// Job 7 could use four GPUs, but its virtual cluster has a quota of three.
TEST(Allotment, KeepsAGangWithinItsQuota) {
  Scheduler scheduler = in_rounds(4,
                                  "{sizing: {name: marginal_gain, round: 60 s}, "
                                  "admission: {name: quota, gpus: {default: 3}}}");

  const Decision decision = scheduler.on_event(JobArrived{job(7)}, at(0));

  EXPECT_EQ(actions_of<StartAttempt>(decision).at(0).allocation.slots.size(), 3U);
}

TEST(Allotment, LeavesAJobOfUnchangedSizeAlone) {
  Scheduler scheduler = in_rounds(4, "sizing: {name: marginal_gain, round: 60 s}");
  (void)scheduler.on_event(JobArrived{job(8)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));

  EXPECT_THAT(scheduler.on_event(Timer{}, at(60)).actions, IsEmpty());
}

TEST(Allotment, AsksNoMoreWhenNoJobIsLeft) {
  Scheduler scheduler = in_rounds(4, "sizing: {name: by_rank, round: 60 s}");
  (void)scheduler.on_event(JobArrived{job(0)}, at(0));

  const Decision last =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 0}, at(30));

  EXPECT_EQ(last.wake_up, kNever);
}

TEST(Allotment, SurvivesAStopThatEndsWithTheJob) {
  Scheduler scheduler = in_rounds(4, "sizing: {name: marginal_gain, round: 60 s}");
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

// 2 GPUs, two queues of 100 GPU-s, rounds of 60 s: job 0 (2 GPUs, 150 s) is demoted in the round of
// 60 s (120 GPU-s), so job 1 (2 GPUs, 60 s) runs from 60 to 120 s and is demoted, too; job 0 was
// demoted first and runs from 120 s for its last 90 s.
TEST(Allotment, SlicesTimeByLeastAttainedServiceInRounds) {
  Driver driver(shape(1, 2),
                policy("{order: {name: las, limits: [100 s], quantum: 60 s, within: entry}, "
                       "sizing: {name: by_rank, round: 60 s}}"),
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
