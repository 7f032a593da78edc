// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Applications of several jobs in Themis' auctions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planned.hpp"
#include "scheduler/planner/themis.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

JobView part_of(const std::string& application, int id, int gang, double arrival, double run_time) {
  JobView view = job(id, gang, arrival);
  view.application = application;
  view.requested_gang = gang;
  view.estimated_run_time = seconds(run_time);
  return view;
}

JobView on_gpu(JobView view, int gpu) {
  view.state = JobState::running;
  view.attempt = view.last_attempt = AttemptId{view.id.value()};
  view.allocation.slots = {{GpuId{gpu}, LaneId{gpu}}};
  return view;
}

/// The belief once it has been asked for plans at these times about these jobs.
struct Believer {
  explicit Believer(int gpus) : cluster(shape(1, gpus)), counter(gpus) {}

  void at_time(double now, const std::vector<JobView>& jobs) {
    std::vector<PlanJob> shown;
    for (const JobView& view : jobs) shown.push_back({&view});
    belief.at({at(now), shown, cluster, admission, estimate, counter});
  }
  [[nodiscard]] double rho(double now, const std::vector<JobView>& jobs, int gpus) {
    std::vector<const JobView*> views;
    for (const JobView& view : jobs) views.push_back(&view);
    return belief.rho(views, gpus, {at(now), {}, cluster, admission, estimate, counter});
  }

  Cluster cluster;
  AcceptAll admission;
  NoEstimate estimate;
  Counter counter;
  FinishTimeBelief belief;
};

// 2400 s on one GPU of two jobs that can use two: 1200 s alone.
TEST(ApplicationBelief, AddsUpTheJobs) {
  Believer believer(4);
  const std::vector<JobView> jobs{part_of("a", 0, 1, 0, 1200), part_of("a", 1, 1, 0, 1200)};
  believer.at_time(0, jobs);
  believer.at_time(600, jobs);

  EXPECT_DOUBLE_EQ(believer.rho(600, jobs, 1), 2.5);  // (600 + 2400) ÷ 1200
  EXPECT_DOUBLE_EQ(believer.rho(600, jobs, 2), 1.5);
}

// With another job beside it, an application has one of two GPUs, however many jobs it has.
TEST(ApplicationBelief, CountsApplicationsAndNotJobs) {
  Believer believer(2);
  const std::vector<JobView> jobs{part_of("a", 0, 1, 0, 1200), part_of("a", 1, 1, 0, 1200)};
  const std::vector<JobView> all{jobs[0], jobs[1], part_of("", 2, 1, 0, 60)};
  believer.at_time(0, all);
  believer.at_time(600, all);

  EXPECT_DOUBLE_EQ(believer.rho(600, jobs, 1), 1.25);  // (600 + 2400) ÷ 2400
}

TEST(ApplicationBelief, EndsWithItsLongestJob) {
  Believer believer(4);
  const std::vector<JobView> jobs{part_of("a", 0, 1, 0, 100), part_of("a", 1, 1, 0, 1000)};
  believer.at_time(0, jobs);

  EXPECT_DOUBLE_EQ(believer.rho(0, jobs, 2), 1000.0 / 550.0);
}

// A job that trained for 300 s is gone: 1500 s in all, on one GPU.
TEST(ApplicationBelief, RemembersJobsThatHaveEnded) {
  Believer believer(4);
  JobView first = part_of("a", 0, 1, 0, 300);
  first.kept_training = seconds(300);
  const std::vector<JobView> rest{part_of("a", 1, 1, 200, 1200)};
  believer.at_time(0, {first});
  believer.at_time(300, {first, rest[0]});
  believer.at_time(600, rest);

  EXPECT_DOUBLE_EQ(believer.rho(600, rest, 1), 1.2);  // (600 + 1200) ÷ 1500
}

// ρ is 2 ÷ GPUs of both: 2 and 2 GPUs are fair, of which each pays half. The rest goes to the first
// and, because ρ is equal again, to the second.
TEST(ThemisApplications, BidAsOne) {
  Themis themis({.fairness = 0.0});
  const std::vector<JobView> jobs{part_of("a", 0, 1, 0, 600), part_of("a", 1, 1, 0, 600),
                                  part_of("a", 2, 1, 0, 600), part_of("", 3, 3, 0, 600)};

  EXPECT_THAT(planned(themis, jobs, 4), ElementsAre(Pair(0, 1), Pair(1, 1), Pair(3, 2)));
}

// Job 0 ends and job 2 comes in its place: it has the GPU until the lease ends, although job 5 has
// none. Then the application keeps one of its GPUs.
TEST(ThemisApplications, AJobInheritsTheLeaseOfAnother) {
  Themis themis({.fairness = 0.0, .lease = seconds(1200)});
  const JobView first = part_of("a", 0, 1, 0, 7200);
  const JobView second = part_of("a", 1, 1, 0, 7200);
  const JobView third = part_of("a", 2, 1, 60, 7200);
  const JobView other = part_of("", 5, 1, 10, 7200);
  ASSERT_THAT(planned(themis, {first, second}, 2), ElementsAre(Pair(0, 1), Pair(1, 1)));

  const auto after = planned(themis, {on_gpu(second, 1), third, other}, 2, AcceptAll(), at(60));
  const auto later =
      planned(themis, {on_gpu(second, 1), on_gpu(third, 0), other}, 2, AcceptAll(), at(1200));

  EXPECT_THAT(after, ElementsAre(Pair(1, 1), Pair(2, 1)));
  EXPECT_THAT(later, testing::UnorderedElementsAre(Pair(1, 1), Pair(5, 1)));
}

}  // namespace
}  // namespace mimus::scheduler::test
