// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/themis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planned.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// The view of a job that runs for `run_time` seconds on its gang without co-tenants.
JobView bidder(int id, int gang, double arrival, double run_time) {
  JobView view = job(id, gang, arrival);
  view.requested_gang = gang;
  view.estimated_run_time = seconds(run_time);
  return view;
}

/// The job on the first `gpus` GPUs, without any training yet.
JobView leaseholder(JobView view, int gpus) {
  view.state = JobState::running;
  view.attempt = AttemptId{view.id.value()};
  view.last_attempt = view.attempt;
  for (int gpu = 0; gpu < gpus; ++gpu) view.allocation.slots.push_back({GpuId{gpu}, LaneId{gpu}});
  return view;
}

double rho_at(double now, const JobView& job, int gpus, int cluster_gpus, int others = 0) {
  const Cluster cluster(shape(1, cluster_gpus));
  const AcceptAll admission;
  Counter counter(cluster_gpus);
  std::vector<JobView> views{job};
  for (int i = 1; i <= others; ++i) views.push_back(bidder(100 + i, 1, 0.0, 60.0));
  std::vector<PlanJob> shown;
  for (const JobView& view : views) shown.push_back({&view});
  FinishTimeBelief belief;
  belief.at({job.arrival, shown, cluster, admission, NoEstimate(), counter});
  const NoEstimate estimate;
  const PlanQuery query{at(now), shown, cluster, admission, estimate, counter};
  belief.at(query);
  return belief.rho(job, gpus, query);
}

TEST(FinishTimeBelief, ComparesTheTimeInTheSystemWithThatOnItsOwnPart) {
  const JobView job = bidder(0, 2, 0.0, 1200.0);

  EXPECT_DOUBLE_EQ(rho_at(600.0, job, 1, 8), 2.5);  // (600 + 1200 × 2) ÷ 1200
  EXPECT_DOUBLE_EQ(rho_at(600.0, job, 2, 8), 1.5);
}

// With 4 GPUs and 8 jobs its equal part is half a GPU, on which the job would take 4800 s.
TEST(FinishTimeBelief, TakesAnEqualPartOfTheClusterAmongTheJobsOfItsTime) {
  EXPECT_DOUBLE_EQ(rho_at(600.0, bidder(0, 2, 0.0, 1200.0), 2, 4, 7), 1800.0 / 4800.0);
}

TEST(FinishTimeBelief, TakesAJobItKnowsNothingOfToNeedAMinuteMore) {
  EXPECT_DOUBLE_EQ(rho_at(120.0, bidder(0, 1, 0.0, 0.0), 1, 4), 3.0);  // (120 + 60) ÷ 60
}

Themis everybody_bids() {
  return Themis({.fairness = 0.0});
}

// Each value is 1/ρ ∝ GPUs: 2 and 2 are proportionally fair, of which half is the payment. The rest
// goes to the first and, because ρ is equal again, to the second.
TEST(Themis, DividesAmongEqualJobs) {
  EXPECT_THAT(planned(everybody_bids(), {bidder(0, 4, 0.0, 600.0), bidder(1, 4, 0.0, 600.0)}, 4),
              ElementsAre(Pair(0, 2), Pair(1, 2)));
}

TEST(Themis, GivesNobodyMoreThanItsUserAskedFor) {
  EXPECT_THAT(planned(everybody_bids(), {bidder(0, 1, 0.0, 600.0), bidder(1, 2, 0.0, 600.0)}, 8),
              ElementsAre(Pair(0, 1), Pair(1, 2)));
}

// One of five may bid: job 4, which has waited 400 s for 100 s of work. It wins its gang and pays
// nothing, because it is the only bidder. The others get the rest in order of their ids.
TEST(Themis, LetsThoseBidWhoAreFurthestFromFairness) {
  std::vector<JobView> jobs;
  for (int id = 0; id < 4; ++id) jobs.push_back(bidder(id, 2, 390.0, 600.0));
  jobs.push_back(bidder(4, 2, 0.0, 100.0));
  Themis themis({.fairness = 0.8});

  EXPECT_THAT(planned(themis, jobs, 4, AcceptAll(), at(400.0)),
              ElementsAre(Pair(4, 2), Pair(0, 1), Pair(1, 1)));
}

TEST(Themis, LeasesGpusUntilTheNextAuction) {
  Themis themis({.fairness = 0.0, .lease = seconds(1200)});
  const JobView first = bidder(0, 4, 0.0, 7200.0);
  EXPECT_THAT(planned(themis, {first}, 4), ElementsAre(Pair(0, 4)));

  const std::vector<JobView> both{leaseholder(first, 4), bidder(1, 4, 60.0, 7200.0)};

  EXPECT_THAT(planned(themis, both, 4, AcceptAll(), at(60.0)), ElementsAre(Pair(0, 4)));
  EXPECT_THAT(planned(themis, both, 4, AcceptAll(), at(1199.0)), ElementsAre(Pair(0, 4)));
  EXPECT_THAT(planned(themis, both, 4, AcceptAll(), at(1200.0)),
              testing::UnorderedElementsAre(Pair(0, 2), Pair(1, 2)));
}

TEST(Themis, WakesUpWhenALeaseEnds) {
  const JobView job = bidder(0, 4, 0.0, 7200.0);
  const std::vector<PlanJob> shown{{&job}};
  const Cluster cluster(shape(1, 4));
  Counter counter(4);
  Themis themis({.lease = seconds(300)});

  EXPECT_EQ(themis.plan({at(0), shown, cluster, AcceptAll(), NoEstimate(), counter}).next,
            at(300.0));
}

}  // namespace
}  // namespace mimus::scheduler::test
