// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of jobs whose stages interleave (Muri, SIGCOMM'22), by the rules of policies-2.md, D.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr StageTimes kReads{.input = 0.446, .compute = 0.008, .network = 0, .iteration = 0.49};
constexpr StageTimes kComputes{.input = 0.0006, .compute = 0.41, .network = 0, .iteration = 0.426};
constexpr StageTimes kComputesToo{
    .input = 0.0005, .compute = 0.16, .network = 0, .iteration = 0.178};

JobView staged(int id, int gang, const StageTimes& stages, double estimate = 0.0) {
  JobView view = estimated(id, gang, 0.0, estimate);
  view.stages = stages;
  view.requested_batch = 8 * gang;
  return view;
}

/// All jobs come at once; by job, the GPUs that it starts on, none for those that wait.
std::map<std::int64_t, std::vector<int>> places(const ClusterShape& cluster, const std::string& row,
                                                const std::vector<JobView>& jobs) {
  Scheduler scheduler(cluster, policy(row));
  std::vector<Event> events;
  for (const JobView& view : jobs) events.emplace_back(JobArrived{view});
  const Decision decision = scheduler.on_events(events, at(0));
  std::map<std::int64_t, std::vector<int>> gpus;
  for (const StartAttempt& start : actions_of<StartAttempt>(decision)) {
    gpus[start.job.value()] = gpus_of(start.allocation);
  }
  return gpus;
}

const char* const kBySize = "{planner: {name: muri, order: srsf}}";

TEST(Muri, NobodySharesWhileThereIsRoom) {
  const auto gpus =
      places(shape(1, 2, 4), kBySize, {staged(0, 1, kReads), staged(1, 1, kComputes)});
  EXPECT_THAT(gpus.at(0), ElementsAre(0));
  EXPECT_THAT(gpus.at(1), ElementsAre(1));
}

TEST(Muri, ComplementaryJobsShareAGpu) {
  const auto gpus =
      places(shape(1, 1, 4), kBySize, {staged(0, 1, kReads), staged(1, 1, kComputes)});
  EXPECT_THAT(gpus.at(0), ElementsAre(0));
  EXPECT_THAT(gpus.at(1), ElementsAre(0));
}

TEST(Muri, AGroupThatIsSlowerThanItsMembersInTurnIsDissolved) {
  const auto gpus = places(shape(1, 1, 4), kBySize,
                           {staged(0, 1, kComputesToo, 20), staged(1, 1, kComputes, 10)});
  EXPECT_EQ(gpus.size(), 1U);
  EXPECT_THAT(gpus.at(1), ElementsAre(0));  // less is left of it
}

TEST(Muri, JobsWithoutStagesShareNothing) {
  JobView unknown = staged(1, 1, kComputes);
  unknown.stages.reset();
  EXPECT_EQ(places(shape(1, 1, 4), kBySize, {staged(0, 1, kReads), unknown}).size(), 1U);
}

TEST(Muri, GroupsFitIntoTheMemory) {
  JobView large = staged(0, 1, kReads);
  JobView other = staged(1, 1, kComputes);
  large.requested_batch = other.requested_batch = 64;  // 8.4 GB of 16 GB
  EXPECT_EQ(places(shape(1, 1, 4), kBySize, {large, other}).size(), 1U);
}

TEST(Muri, OnlyGangsOfOneSizeShare) {
  const auto gpus =
      places(shape(1, 2, 4), kBySize, {staged(0, 2, kReads, 1), staged(1, 1, kComputes, 10)});
  EXPECT_EQ(gpus.size(), 1U);
  EXPECT_THAT(gpus.at(0), ElementsAre(0, 1));
}

// Three jobs on two GPUs: one pair is enough.
TEST(Muri, MergesNoMoreThanNecessary) {
  const auto gpus =
      places(shape(1, 2, 4), kBySize,
             {staged(0, 1, kReads, 1), staged(1, 1, kComputes, 2), staged(2, 1, kComputes, 3)});
  EXPECT_THAT(gpus.at(0), ElementsAre(0));
  EXPECT_EQ(gpus.at(0) == gpus.at(1), gpus.at(0) != gpus.at(2));
  EXPECT_EQ(gpus.size(), 3U);
}

// Six GPUs are requested and there are five: one pair is enough, of the size that ranks first.
TEST(Muri, TheSizeOfTheBestRankedJobIsMergedFirst) {
  const auto gpus = places(shape(1, 5, 4), kBySize,
                           {staged(0, 2, kReads, 1), staged(1, 2, kComputes, 2),
                            staged(2, 1, kReads, 5), staged(3, 1, kComputes, 6)});
  EXPECT_EQ(gpus.at(0), gpus.at(1));
  EXPECT_NE(gpus.at(2), gpus.at(3));
}

// The first and the last of four match, and the two between them; one pair is enough.
TEST(Muri, PairsAreMergedInTheOrderOfTheirSecondMembers) {
  constexpr StageTimes kReadsLess{.input = 0.2, .compute = 0.004, .network = 0, .iteration = 0.22};
  constexpr StageTimes kComputesLess{
      .input = 0.0003, .compute = 0.19, .network = 0, .iteration = 0.2};
  const auto gpus = places(shape(1, 3, 4), kBySize,
                           {staged(0, 1, kReads, 1), staged(1, 1, kReadsLess, 2),
                            staged(2, 1, kComputesLess, 3), staged(3, 1, kComputes, 4)});
  EXPECT_EQ(gpus.at(1), gpus.at(2));
  EXPECT_NE(gpus.at(0), gpus.at(3));
}

// A gang of two whole nodes, and one more.
TEST(Muri, LargeGangsArePlacedFirst) {
  const auto gpus =
      places(shape(3, 2, 4), kBySize, {staged(0, 4, kReads, 1), staged(1, 1, kComputes, 2)});
  EXPECT_THAT(gpus.at(0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(gpus.at(1), ElementsAre(4));
}

TEST(Muri, JobsThatGoOnKeepTheirGpus) {
  Driver driver(shape(1, 2, 4), policy(kBySize), {});
  driver.submit(staged(0, 1, kReads, 10), {.work = seconds(10)});
  driver.submit(staged(1, 1, kComputes, 20), {.work = seconds(20)});
  JobView late = staged(2, 1, kReads, 1);
  late.arrival = at(5);
  driver.submit(late, {.work = seconds(1)});

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_EQ(driver.outcome(0).preemptions, 0);
  EXPECT_EQ(driver.outcome(1).preemptions, 0);
  EXPECT_EQ(driver.outcome(2).end, at(6));
}

// The first has attained a second when the other one comes.
TEST(Muri, LeastAttainedServiceIsFirst) {
  Driver driver(shape(1, 1, 1), policy("{planner: {name: muri, residents: 1}}"), {});
  driver.submit(staged(0, 1, kReads), {.work = seconds(10)});
  JobView late = staged(1, 1, kReads);
  late.arrival = at(1);
  driver.submit(late, {.work = seconds(2)});

  driver.run();

  EXPECT_EQ(driver.outcome(1).end, at(3));
  EXPECT_EQ(driver.outcome(0).end, at(12));
}

}  // namespace
}  // namespace mimus::scheduler::test
