// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/order/earliest_deadline.hpp"
#include "scheduler/order/fifo.hpp"
#include "scheduler/order/least_attained_service.hpp"
#include "scheduler/order/shortest_job_first.hpp"

namespace mimus::scheduler::test {
namespace {

JobView running(int id, int gang, double since, double attained = 0.0) {
  JobView view = job(id, gang);
  view.attempt = AttemptId{id};
  view.state = JobState::running;
  view.running_since = at(since);
  view.first_start = at(since);
  view.attained_time = seconds(attained);
  return view;
}

JobView waiting(int id, int gang, double attained, double queued_since = 0.0) {
  JobView view = job(id, gang);
  view.attained_time = seconds(attained);
  view.queued_since = at(queued_since);
  return view;
}

LeastAttainedService tiresias() {
  return LeastAttainedService(
      {.limits = {seconds(3250), seconds(7200)}, .quantum = {}, .promote = {}});
}

TEST(Service, IsTimeWithAnAllocationTimesGpus) {
  EXPECT_EQ(running(0, 4, 100).service(at(150)).count(), seconds(200).count());
  EXPECT_EQ(running(0, 4, 100, 50).service(at(150)).count(), seconds(250).count());
  EXPECT_EQ(waiting(0, 4, 50).service(at(1000)).count(), seconds(50).count());
}

TEST(FifoOrder, RanksByArrivalThenId) {
  const Fifo fifo({});

  EXPECT_LT(fifo.rank(job(5, 1, 1.0), at(9)), fifo.rank(job(2, 1, 2.0), at(9)));
  EXPECT_LT(fifo.rank(job(2, 1, 2.0), at(9)), fifo.rank(job(5, 1, 2.0), at(9)));
  EXPECT_TRUE(fifo.blocks());
  EXPECT_FALSE(Fifo({.skip = true}).blocks());
}

TEST(EarliestDeadlineOrder, RanksByDeadlineThenArrival) {
  const EarliestDeadline edf({});
  JobView soon = job(3, 1, 2.0), late = job(2, 1, 1.0);
  soon.deadline = at(50);
  late.deadline = at(60);
  const JobView without = job(0, 1, 0.0);

  EXPECT_LT(edf.rank(soon, at(55)), edf.rank(late, at(55)));
  EXPECT_LT(edf.rank(late, at(55)), edf.rank(without, at(55)));
  EXPECT_LT(edf.rank(without, at(55)), edf.rank(job(1, 1, 1.0), at(55)));
  EXPECT_TRUE(edf.blocks());
}

TEST(ShortestJobFirstOrder, RanksByTheEstimatedRunTime) {
  const ShortestJobFirst sjf({});
  JobView small = job(7, 1, 5.0);
  JobView large = job(1, 1, 0.0);
  small.estimated_run_time = seconds(10);
  large.estimated_run_time = seconds(20);

  EXPECT_LT(sjf.rank(small, at(9)), sjf.rank(large, at(9)));
}

TEST(ShortestJobFirstOrder, PutsJobsWithoutEstimateWhereItIsTold) {
  JobView known = job(0);
  known.estimated_run_time = seconds(10);
  const JobView unknown = job(1);
  const ShortestJobFirst first({.skip = true, .unknown = Unknown::first});
  const ShortestJobFirst last({.skip = true, .unknown = Unknown::last});

  EXPECT_LT(first.rank(unknown, at(0)), first.rank(known, at(0)));
  EXPECT_LT(last.rank(known, at(0)), last.rank(unknown, at(0)));
}

// Limits of 3,250 and 7,200 GPU-s: four GPUs reach them after 812.5 s and 1,800 s.
TEST(LeastAttainedServiceOrder, DemotesAFourGpuJobAtTheExactCrossing) {
  const auto las = tiresias();
  const JobView four = running(0, 4, 0);

  EXPECT_EQ(las.next_change(four, at(0)), at(812.5));
  EXPECT_EQ(las.queue_of(four, at(812.5) - Duration{1}), 0U);
  EXPECT_EQ(las.queue_of(four, at(812.5)), 1U);
  EXPECT_EQ(las.next_change(four, at(812.5)), at(1800));
  EXPECT_EQ(las.queue_of(four, at(1800)), 2U);
  EXPECT_EQ(las.next_change(four, at(1800)), kNever);
}

TEST(LeastAttainedServiceOrder, DemotesAOneGpuJobAtTheLimitsThemselves) {
  const auto las = tiresias();

  EXPECT_EQ(las.next_change(running(0, 1, 0), at(10)), at(3250));
  EXPECT_EQ(las.next_change(running(0, 1, 0), at(3250)), at(7200));
}

// 3,600 GPU-s on 4 GPUs take 900 s. With 400 GPU-s attained before, 800 s are left.
TEST(LeastAttainedServiceOrder, CountsServiceOfEarlierAttempts) {
  const LeastAttainedService las({.limits = {seconds(3600)}, .quantum = {}, .promote = {}});

  EXPECT_EQ(las.next_change(running(0, 4, 100), at(100)), at(1000));
  EXPECT_EQ(las.next_change(running(0, 4, 100, 400), at(100)), at(900));
}

TEST(LeastAttainedServiceOrder, RanksByQueueThenFirstStartThenArrival) {
  const auto las = tiresias();
  JobView demoted = waiting(0, 1, 4000);
  JobView started = waiting(1, 1, 3000);
  started.first_start = at(50);
  JobView started_later = waiting(2, 1, 10);
  started_later.first_start = at(60);
  const JobView fresh = waiting(3, 1, 0);

  EXPECT_LT(las.rank(started, at(99)), las.rank(started_later, at(99)));
  EXPECT_LT(las.rank(started_later, at(99)), las.rank(fresh, at(99)));
  EXPECT_LT(las.rank(fresh, at(99)), las.rank(demoted, at(99)));
}

// Knob 8: it has run for 100 s, so it returns to the first queue after waiting for 800 s.
TEST(LeastAttainedServiceOrder, PromotesAJobThatWaitedTooLong) {
  LeastAttainedService las({.limits = {seconds(350)}, .quantum = {}, .promote = 8.0});
  JobView starved = waiting(0, 4, 400, 1000);

  EXPECT_EQ(las.next_change(starved, at(1000)), at(1800));
  EXPECT_EQ(las.queue_of(starved, at(1799)), 1U);
  las.refresh(starved, at(1800));

  EXPECT_EQ(las.queue_of(starved, at(1800)), 0U);
  EXPECT_EQ(las.next_change(starved, at(1800)), kNever);
}

// Limit 100 GPU-s, knob 8, one GPU: the job runs for 100 s, waits for 500 s and runs for 1 s. Of 8
// × 101 s it still has to wait for 308 s.
TEST(LeastAttainedServiceOrder, CountsAllWaitsSinceTheLastPromotion) {
  LeastAttainedService las({.limits = {seconds(100)}, .quantum = {}, .promote = 8.0});
  JobView starved = waiting(0, 1, 100, 100);
  (void)las.rank(starved, at(100));
  EXPECT_EQ(las.next_change(starved, at(100)), at(900));

  starved.running_since = at(600);
  starved.attained_time = seconds(101);
  starved.queued_since = at(601);
  (void)las.rank(starved, at(601));
  EXPECT_EQ(las.next_change(starved, at(601)), at(909));

  // Both counters start again: 100 s more from 950 s on, and 800 s of waiting.
  las.refresh(starved, at(909));
  starved.running_since = at(950);
  starved.attained_time = seconds(201);
  starved.queued_since = at(1050);
  (void)las.rank(starved, at(1050));
  EXPECT_EQ(las.next_change(starved, at(1050)), at(1850));
}

// A wait before the first start does not count, because the job has not run yet.
TEST(LeastAttainedServiceOrder, CountsNoWaitBeforeTheFirstStart) {
  const LeastAttainedService las({.limits = {seconds(100)}, .quantum = {}, .promote = 8.0});
  JobView starved = waiting(0, 1, 0, 0);
  (void)las.rank(starved, at(0));

  starved.running_since = at(500);
  starved.attained_time = seconds(100);
  starved.queued_since = at(600);
  (void)las.rank(starved, at(600));

  EXPECT_EQ(las.next_change(starved, at(600)), at(1400));
}

TEST(LeastAttainedServiceOrder, IsOvertakenWhenItsServicePassesTheWaitingJobs) {
  const LeastAttainedService las({});

  // 2 GPUs from t=0 have 10 GPU-s at t=5. The later job loses the tie, and the earlier one keeps
  // it.
  EXPECT_EQ(las.overtaken_at(running(5, 2, 0), waiting(1, 1, 10), at(1)), at(5));
  EXPECT_EQ(las.overtaken_at(running(0, 2, 0), waiting(1, 1, 10), at(1)), at(5) + Duration{1});
}

TEST(LeastAttainedServiceOrder, ComparesAtMultiplesOfTheQuantum) {
  const LeastAttainedService las({.limits = {}, .quantum = seconds(2), .promote = {}});
  const JobView runs = running(5, 2, 0);

  EXPECT_EQ(las.overtaken_at(runs, waiting(1, 1, 10), at(1)), at(6));
  EXPECT_LT(las.rank(runs, at(5.9)), las.rank(waiting(1, 1, 10), at(5.9)));
  EXPECT_GT(las.rank(runs, at(6)), las.rank(waiting(1, 1, 10), at(6)));
}

}  // namespace
}  // namespace mimus::scheduler::test
