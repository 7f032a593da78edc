// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <tuple>

#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/order/least_attained_service.hpp"
#include "scheduler/order/shortest_remaining.hpp"

namespace mimus::scheduler::test {
namespace {

using Measure = ShortestRemaining::Measure;

JobView waiting(int id, int gang, double estimate, double executed = 0.0) {
  JobView view = job(id, gang);
  view.estimated_run_time = seconds(estimate);
  view.attained_time = seconds(executed * gang);
  view.kept_training = view.attained_time;
  return view;
}

JobView running(int id, int gang, double estimate, double since, double executed = 0.0) {
  JobView view = waiting(id, gang, estimate, executed);
  view.attempt = AttemptId{id};
  view.state = JobState::running;
  view.running_since = at(since);
  view.stepping_since = at(since);
  view.first_start = at(since);
  return view;
}

TEST(ShortestRemainingTime, ShrinksWhileAJobRuns) {
  const ShortestRemaining srtf({.measure = Measure::time});
  const JobView runs = running(1, 4, 100, 10, 20);

  EXPECT_EQ(srtf.rank(runs, at(10)).major, seconds(80).count());
  EXPECT_EQ(srtf.rank(runs, at(50)).major, seconds(40).count());
  EXPECT_LT(srtf.rank(runs, at(51)), srtf.rank(waiting(0, 4, 40), at(51)));
  EXPECT_GT(srtf.rank(runs, at(49)), srtf.rank(waiting(0, 4, 40), at(49)));
}

TEST(ShortestRemainingService, WeighsTimeWithGpus) {
  const ShortestRemaining srsf({.measure = Measure::service});

  EXPECT_EQ(srsf.rank(running(1, 4, 100, 10), at(60)).major, seconds(200).count());
  EXPECT_LT(srsf.rank(waiting(5, 1, 150), at(0)), srsf.rank(waiting(1, 4, 40), at(0)));
}

TEST(ShortestRemainingTime, BreaksTiesByArrivalThenJob) {
  const ShortestRemaining srtf({});

  EXPECT_LT(srtf.rank(waiting(1, 1, 40), at(0)), srtf.rank(waiting(2, 1, 40), at(0)));
}

TEST(ShortestRemainingTime, IsNothingForAJobThatOutlastsItsEstimate) {
  const ShortestRemaining srtf({});
  const JobView runs = running(1, 2, 100, 0);

  EXPECT_EQ(srtf.rank(runs, at(300)).major, 0);
  EXPECT_EQ(srtf.next_change(runs, at(30)), at(100));
  EXPECT_EQ(srtf.next_change(runs, at(100)), kNever);
}

TEST(ShortestRemaining, DriftsDownUntilTheEstimateIsUsedUp) {
  const ShortestRemaining srtf({.measure = Measure::time});
  const ShortestRemaining srsf({.measure = Measure::service});
  const JobView runs = running(1, 2, 100, 0);

  EXPECT_EQ(srtf.drift(runs, at(30)), -1000);
  EXPECT_EQ(srsf.drift(runs, at(30)), -2000);
  EXPECT_EQ(srsf.drift(runs, at(100)), 0);
  EXPECT_EQ(srsf.drift(running(1, 2, 0, 0), at(30)), 0);
}

// The remaining time of a running job shrinks, and that of a waiting job does not.
TEST(ShortestRemaining, IsNeverOvertakenByAWaitingJob) {
  const ShortestRemaining srtf({});

  EXPECT_EQ(srtf.overtaken_at(running(1, 2, 10, 0), waiting(0, 1, 20), at(1)), kNever);
  EXPECT_FALSE(srtf.continuous());
}

TEST(ShortestRemaining, PutsJobsWithoutEstimateWhereItIsTold) {
  const ShortestRemaining first({.unknown = Unknown::first});
  const ShortestRemaining last({.unknown = Unknown::last});

  EXPECT_LT(first.rank(waiting(1, 1, 0), at(0)), first.rank(waiting(0, 1, 10), at(0)));
  EXPECT_GT(last.rank(waiting(0, 1, 0), at(0)), last.rank(waiting(1, 1, 10), at(0)));
}

TEST(ShortestRemainingService, DoesNotOverflow) {
  const ShortestRemaining srsf({.measure = Measure::service});
  const double year = 365.0 * 86400;

  EXPECT_LT(srsf.rank(waiting(0, 1, year), at(0)), srsf.rank(waiting(1, 100'000, year), at(0)));
}

/// Ends of the toy example of Tiresias: 2 GPUs; (GPUs, run time) = (2, 2 s), (1, 8 s), (2, 6 s).
std::vector<double> ends_of_toy_example(const std::string& order) {
  Driver driver(shape(1, 2),
                policy("{order: " + order + ", preemption: {name: checkpoint, min_run: 0 s}}"), {});
  const std::vector<std::pair<int, double>> jobs{{2, 2}, {1, 8}, {2, 6}};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    JobView view = job(static_cast<int>(i), jobs[i].first);
    view.user_estimate = seconds(jobs[i].second);
    driver.submit(view, {.work = seconds(jobs[i].second)});
  }
  driver.run();
  std::vector<double> ends;
  for (const auto& [id, outcome] : driver.outcomes()) ends.push_back(to_seconds(outcome.end));
  return ends;
}

// Services 4, 8 and 12: the first runs alone, the second leaves one GPU, the third needs two.
TEST(ShortestRemainingService, RunsTheToyExampleOfTiresias) {
  EXPECT_EQ(ends_of_toy_example("srsf"), (std::vector<double>{2, 10, 16}));
}

// Remaining times 2, 8 and 6: first, third, second.
TEST(ShortestRemainingTime, RunsTheToyExampleOfTiresias) {
  EXPECT_EQ(ends_of_toy_example("srtf"), (std::vector<double>{2, 16, 8}));
}

// At t = 1 a job of 2 s on both GPUs arrives. The job of 10 s, with 9 s left, yields until t = 3.
TEST(ShortestRemainingTime, StopsALongerJob) {
  Driver driver(shape(1, 2), policy("{order: srtf, preemption: {name: checkpoint, min_run: 0 s}}"),
                {});
  for (const auto& [id, arrival, run] :
       std::vector<std::tuple<int, double, double>>{{0, 0, 10}, {1, 1, 2}, {2, 8, 4}}) {
    JobView view = job(id, 2, arrival);
    view.user_estimate = seconds(run);
    driver.submit(view, {.work = seconds(run)});
  }
  driver.run();

  // At t = 8 the first job has 4 s left, as many as the third one, and keeps its GPUs.
  EXPECT_EQ(driver.outcome(1).end, at(3));
  EXPECT_EQ(driver.outcome(0).end, at(12));
  EXPECT_EQ(driver.outcome(2).end, at(16));
  EXPECT_EQ(driver.outcome(0).preemptions, 1);
}

LeastAttainedService by_entry(Duration quantum = {}) {
  LeastAttainedService::Settings settings;
  settings.limits = {seconds(100), seconds(1000)};
  settings.quantum = quantum;
  settings.within = LeastAttainedService::Within::entry;
  return LeastAttainedService(settings);
}

TEST(LeastAttainedServiceByEntry, RanksTheFirstQueueByArrival) {
  const auto las = by_entry();
  JobView early = job(3, 1, 10.0);
  JobView late = job(1, 1, 20.0);
  late.first_start = at(21);

  EXPECT_LT(las.rank(early, at(50)), las.rank(late, at(50)));
}

// 100 GPU-s: job 0 on one GPU since t = 0 reaches them at 100 s, and job 1 on 4 GPUs since 60 s at
// 85 s.
TEST(LeastAttainedServiceByEntry, RanksLaterQueuesByTheInstantOfDemotion) {
  const auto las = by_entry();
  const JobView slow = running(0, 1, 0, 0);
  const JobView fast = running(1, 4, 0, 60);

  EXPECT_LT(las.rank(slow, at(80)), las.rank(fast, at(80)));
  EXPECT_EQ(las.rank(fast, at(90)).minor, seconds(85).count());
  EXPECT_LT(las.rank(fast, at(150)), las.rank(slow, at(150)));
}

// 100 GPU-s on 2 GPUs are reached at 50 s. The job stops at 70 s with 140 GPU-s.
TEST(LeastAttainedServiceByEntry, KnowsAWaitingJobsDemotionFromItsLastAttempt) {
  const auto las = by_entry();
  JobView stopped = waiting(0, 2, 0, 70);
  stopped.queued_since = at(70);

  EXPECT_EQ(las.rank(stopped, at(70)).minor, seconds(50).count());
}

TEST(LeastAttainedServiceByEntry, KeepsTheInstantThroughLaterAttempts) {
  const auto las = by_entry();
  JobView stopped = waiting(0, 2, 0, 70);
  stopped.queued_since = at(70);
  (void)las.rank(stopped, at(70));
  const JobView again = running(0, 2, 0, 500, 70);

  EXPECT_EQ(las.rank(again, at(510)).minor, seconds(50).count());
}

TEST(LeastAttainedServiceByEntry, EntersAtTheEndOfTheQuantum) {
  const auto las = by_entry(seconds(60));
  const JobView runs = running(1, 4, 0, 60);  // 25 s to the limit

  EXPECT_EQ(las.queue_of(runs, at(119)), 0U);
  EXPECT_EQ(las.rank(runs, at(120)).minor, seconds(120).count());
}

TEST(LeastAttainedServiceByEntry, PutsAPromotedJobAtTheEndOfTheFirstQueue) {
  LeastAttainedService::Settings settings;
  settings.limits = {seconds(100)};
  settings.promote = 1.0;
  settings.within = LeastAttainedService::Within::entry;
  LeastAttainedService las(settings);
  JobView starved = waiting(0, 1, 0, 150);
  starved.queued_since = at(150);
  const JobView fresh = job(9, 1, 200.0);

  las.refresh(starved, at(300));

  EXPECT_EQ(las.queue_of(starved, at(300)), 0U);
  EXPECT_LT(las.rank(fresh, at(300)), las.rank(starved, at(300)));
}

TEST(LeastAttainedService, BlocksOnlyWhenItIsTold) {
  EXPECT_FALSE(LeastAttainedService({}).blocks());
  EXPECT_TRUE(policy("order: {name: las, skip: false}").order->blocks());
}

}  // namespace
}  // namespace mimus::scheduler::test
