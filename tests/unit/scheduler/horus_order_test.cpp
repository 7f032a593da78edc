// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The queues of Horus and Horus+.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "scheduler/order/by_utilisation.hpp"
#include "scheduler/order/fair_queues.hpp"
#include "scheduler/order/k_means.hpp"
#include "scheduler/order/weighted_shares.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

JobView using_gpus(int id, double utilisation, int gang = 1, double arrival = 0.0) {
  JobView view = job(id, gang, arrival);
  view.requested_gang = gang;
  view.estimated_utilisation = utilisation;
  view.queued_since = at(arrival);
  return view;
}

std::vector<int> shares(const std::vector<double>& weights, const std::vector<int>& limits,
                        int total = 5) {
  return weighted_shares(weights, limits, total);
}

// Queues of 4, 8 and 10 jobs with medians 10, 0.2 and 3 s: weights 40, 8 and 30 of 78, exact shares
// 2.564, 0.513 and 1.923.
TEST(WeightedShares, GoByLargestRemainder) {
  EXPECT_THAT(shares({40, 8, 30}, {4, 8, 10}), ElementsAre(3, 0, 2));
}

// Exact shares 0.152, 1.818 and 3.030: (0, 2, 3). The third has one job, so two go to the first.
TEST(WeightedShares, GoOnToThoseWhoStillHaveJobs) {
  EXPECT_THAT(shares({5, 60, 100}, {9, 9, 9}), ElementsAre(0, 2, 3));
  EXPECT_THAT(shares({5, 60, 100}, {5, 2, 1}), ElementsAre(2, 2, 1));
}

TEST(WeightedShares, AreAllThereIsAtMost) {
  EXPECT_THAT(shares({1, 1}, {1, 2}), ElementsAre(1, 2));
  EXPECT_THAT(shares({1, 1}, {9, 9}, 3), ElementsAre(2, 1));  // equal remainders: the first
}

TEST(KMeans, FindsThreeGroups) {
  const Points points{{0, 0}, {10, 10}, {0, 1}, {11, 10}, {-10, 10}, {10, 11}};

  EXPECT_THAT(k_means(points, 3), ElementsAre(0, 1, 0, 1, 2, 1));
}

TEST(KMeans, FindsFewerWhereFewerPointsDiffer) {
  EXPECT_THAT(k_means({{1, 1}, {1, 1}, {2, 2}}, 3), ElementsAre(0, 0, 1));
}

// (6, 0) is 6 from (0, 0) and 7 from (3, 4); of squares it would be 36 and 25.
TEST(KMeans, MeasuresSumsOfDifferences) {
  EXPECT_THAT(k_means({{0, 0}, {3, 4}, {6, 0}}, 2, 1), ElementsAre(0, 1, 0));
}

TEST(KMeans, IsNotLedByTheUnitOfAValue) {
  const Points points = standardised({{1, 1e9}, {3, 1e9}, {1, 3e9}, {3, 3e9}});

  EXPECT_THAT(points, ElementsAre(ElementsAre(-1, -1), ElementsAre(1, -1), ElementsAre(-1, 1),
                                  ElementsAre(1, 1)));
}

TEST(ByUtilisation, RanksTheLeastFirstAndEqualOnesByArrival) {
  const ByUtilisation order({});
  const Rank low = order.rank(using_gpus(3, 0.2), at(0));
  const Rank early = order.rank(using_gpus(2, 0.5, 1, 1.0), at(0));
  const Rank late = order.rank(using_gpus(1, 0.5, 1, 2.0), at(0));

  EXPECT_LT(low, early);
  EXPECT_LT(early, late);
  EXPECT_LT(
      ByUtilisation({.first = ByUtilisation::First::highest}).rank(using_gpus(2, 0.5), at(0)),
      ByUtilisation({.first = ByUtilisation::First::highest}).rank(using_gpus(3, 0.2), at(0)));
}

/// Ids by rank once the order has arranged the jobs.
std::vector<int> arranged(FairQueues& order, const std::vector<JobView>& jobs, Instant now) {
  std::vector<const JobView*> waiting;
  for (const JobView& job : jobs) waiting.push_back(&job);
  order.arrange(waiting, now);
  std::sort(waiting.begin(), waiting.end(), [&](const JobView* a, const JobView* b) {
    return order.rank(*a, now) < order.rank(*b, now);
  });
  std::vector<int> ids;
  for (const JobView* job : waiting) ids.push_back(static_cast<int>(job->id.value()));
  return ids;
}

// At 100 s queues A (1 GPU, 10 %), B (4 GPUs, 50 %) and C (8 GPUs, 90 %) have 5, 2 and 1 jobs that
// have waited 0, 30 and 100 s: weights 5, 60 and 100, shares (2, 2, 1). C goes first, then B, then
// A. The second cycle has the rest of A.
TEST(FairQueues, TakesFromEachByItsWeight) {
  FairQueues order({});
  std::vector<JobView> jobs;
  for (int id = 0; id < 5; ++id) jobs.push_back(using_gpus(id, 0.1, 1, 100.0));
  for (int id = 5; id < 7; ++id) jobs.push_back(using_gpus(id, 0.5, 4, 70.0));
  jobs.push_back(using_gpus(7, 0.9, 8, 0.0));

  EXPECT_THAT(arranged(order, jobs, at(100)), ElementsAre(7, 5, 6, 0, 1, 2, 3, 4));
}

TEST(FairQueues, PutsFirstWhoHasWaitedLongest) {
  FairQueues order({.reserve_after = seconds(60)});
  const std::vector<JobView> jobs{using_gpus(0, 0.1, 1, 50.0), using_gpus(1, 0.9, 8, 39.0),
                                  using_gpus(2, 0.9, 8, 38.0)};

  EXPECT_THAT(arranged(order, jobs, at(99)), ElementsAre(2, 1, 0));
  EXPECT_TRUE(order.reserves(jobs[1], at(99)));
  EXPECT_FALSE(order.reserves(jobs[0], at(99)));
  EXPECT_EQ(order.next_change(jobs[0], at(99)), at(110));
}

TEST(FairQueues, PutsLastWhoHasComeSince) {
  FairQueues order({});
  const JobView first = using_gpus(0, 0.5);
  (void)arranged(order, {first}, at(0));

  EXPECT_LT(order.rank(first, at(0)), order.rank(using_gpus(1, 0.1), at(0)));
}

/// On one node of four GPUs of which job 0 holds three, jobs of two GPUs wait, and one of one GPU
/// behind them all.
int started_behind(int waiting_pairs, const std::string& order) {
  Scheduler scheduler(shape(1, 4), policy("{estimate: graph, order: " + order + "}"));
  (void)scheduler.on_event(JobArrived{job(0, 3)}, at(0));
  int last = 1;
  for (; last <= waiting_pairs; ++last) (void)scheduler.on_event(JobArrived{job(last, 2)}, at(1));
  const auto decision = scheduler.on_event(JobArrived{job(last, 1)}, at(2));
  return static_cast<int>(actions_of<StartAttempt>(decision).size());
}

TEST(LookAhead, PassesFewerJobsThanItsNumber) {
  EXPECT_EQ(started_behind(2, "{name: utilisation, look_ahead: 3}"), 1);
  EXPECT_EQ(started_behind(3, "{name: utilisation, look_ahead: 3}"), 0);
  EXPECT_EQ(started_behind(4, "{name: utilisation}"), 1);
  EXPECT_EQ(started_behind(5, "{name: utilisation}"), 0);
  EXPECT_EQ(started_behind(50, "{name: fifo, skip: true}"), 1);
}

TEST(Reservation, LeavesWhatIsFreedToWhoHasWaitedLongest) {
  Scheduler scheduler(
      shape(1, 4), policy("{estimate: graph, order: {name: fair_queues, reserve_after: 100 s}}"));
  (void)scheduler.on_event(JobArrived{job(0, 3)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1, 2)}, at(1));

  EXPECT_EQ(actions_of<StartAttempt>(scheduler.on_event(JobArrived{job(2, 1)}, at(100))).size(),
            1U);
  const auto end = AttemptEnded{AttemptId{1}, EndReason::finished, {}, 0.0};
  EXPECT_EQ(actions_of<StartAttempt>(scheduler.on_event(end, at(101))).size(), 0U);
  EXPECT_EQ(actions_of<StartAttempt>(scheduler.on_event(JobArrived{job(3, 1)}, at(102))).size(),
            0U);
  const auto ended = AttemptEnded{AttemptId{0}, EndReason::finished, {}, 0.0};
  const auto next = actions_of<StartAttempt>(scheduler.on_event(ended, at(103)));
  ASSERT_EQ(next.size(), 2U);
  EXPECT_EQ(next[0].job, JobId{1});
  EXPECT_EQ(next[1].job, JobId{3});
}

std::string refusal_of(const std::string& yaml) {
  try {
    (void)policy(yaml);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LookAhead, IsRefusedWhereItWouldNotBeKept) {
  EXPECT_THAT(
      refusal_of("{order: utilisation, preemption: checkpoint}"),
      HasSubstr("policy.preemption: jobs would be stopped for waiting ones that the order"));
  EXPECT_THAT(refusal_of("{planner: {name: ranked, order: utilisation}}"),
              HasSubstr("policy.planner: plans for all jobs, but its order looks at some"));
}

TEST(Utilisation, NeedsAnEstimateThatBelievesSomethingOfIt) {
  EXPECT_THAT(refusal_of("{order: utilisation, estimate: tree}"),
              HasSubstr("the order choice needs utilisation, which \"tree\" does not estimate; "
                        "set estimate: graph"));
  EXPECT_EQ(policy("{sharing: utilisation}").estimate->name(), "graph");
  EXPECT_TRUE(policy("horus").asks_estimate());
  EXPECT_EQ(policy("horus-plus").label, "horus-plus");
}

}  // namespace
}  // namespace mimus::scheduler::test
