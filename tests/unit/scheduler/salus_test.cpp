// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Gangs that share GPUs by lanes (Salus, MLSys'20), with the closed forms of
// tests/virtual/salus_test.py. Here a job can be suspended at any time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/planner/salus/lanes.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Bytes kGb{1e9};
constexpr Bytes kGpu{16e9};

LaneJob lane_job_of(int id, double persistent, double ephemeral) {
  return {JobId{id}, persistent * kGb, ephemeral * kGb};
}

/// Three jobs that fit into one lane or two of a GPU of 16 GB, but not into three.
struct SalusLanes : ::testing::Test {
  const LaneJob one = lane_job_of(1, 2, 4);
  const LaneJob two = lane_job_of(2, 3, 5);
  const LaneJob three = lane_job_of(3, 1, 3);
};

TEST_F(SalusLanes, OneLaneIsAsLargeAsItsLargestJobNeeds) {
  LaneSet set{{GpuId{0}}, {}};
  for (const LaneJob& job : {one, two}) set.add(job, 0);

  EXPECT_EQ(set.memory_with(three, 0), 11 * kGb);
  EXPECT_EQ(set.lane_for(three, kGpu, 1), 0);
}

TEST_F(SalusLanes, ANewLaneIsOpenedWhereItFits) {
  LaneSet set{{GpuId{0}}, {}};
  set.add(one, 0);

  EXPECT_EQ(set.memory_with(two, 1), 14 * kGb);
  EXPECT_EQ(set.lane_for(two, kGpu, 4), 1);
}

TEST_F(SalusLanes, AJobThatHasNoLaneOfItsOwnJoinsTheSmallestThatIsLargeEnough) {
  LaneSet set{{GpuId{0}}, {}};
  set.add(one, 0);
  set.add(two, 1);

  EXPECT_EQ(set.memory_with(three, 2), 18 * kGb);
  EXPECT_EQ(set.memory_with(three, 0), 15 * kGb);
  EXPECT_EQ(set.lane_for(three, kGpu, 4), 0);
}

TEST_F(SalusLanes, ElseItGrowsTheLaneThatHasToGrowLeast) {
  LaneSet set{{GpuId{0}}, {}};
  set.add(one, 0);
  set.add(two, 1);

  EXPECT_EQ(set.lane_for(lane_job_of(4, 1, 6), kGpu, 2), 1);
  EXPECT_EQ(set.lane_for(lane_job_of(4, 1, 7), kGpu, 2), std::nullopt);  // 17 GB
}

/// One job of the given memory and run time, by arrival.
JobView sized(int id, double persistent, double ephemeral, double arrival = 0.0) {
  JobView view = job(id, 1, arrival);
  view.model.base_memory = persistent * kGb;
  view.model.memory_per_sample = ephemeral / 32.0 * kGb;
  return view;
}

Driver driver_of(const std::string& within, int gpus = 1) {
  return Driver(shape(1, gpus, 4), policy("{planner: {name: salus, within: " + within + "}}"), {});
}

std::vector<double> ends_of(Driver& driver) {
  driver.run();
  EXPECT_THAT(driver.violations(), IsEmpty());
  std::vector<double> ends;
  for (const auto& [id, outcome] : driver.outcomes()) {
    EXPECT_TRUE(outcome.finished) << id.value();
    ends.push_back(to_seconds(outcome.end));
  }
  return ends;
}

TEST(Salus, InFairTurnsBothJobsEndAfterAllQuantaButOne) {
  Driver driver = driver_of("fair");
  for (int id = 0; id < 2; ++id) driver.submit(sized(id, 2, 4), {.work = seconds(10)});

  EXPECT_THAT(ends_of(driver), ElementsAre(19, 20));
}

// It has had none, and the other one 4 s.
TEST(Salus, InFairTurnsANewJobIsOnAParWithTheOthers) {
  Driver driver = driver_of("fair");
  driver.submit(sized(0, 2, 4), {.work = seconds(10)});
  driver.submit(sized(1, 2, 4, 4), {.work = seconds(5)});

  EXPECT_THAT(ends_of(driver), ElementsAre(15, 13));
}

// It comes in the middle of the fifth turn, and has the seventh: two others have had no less.
TEST(Salus, InFairTurnsANewJobKeepsItsPlaceWhileOthersTakeTurns) {
  Driver driver = driver_of("fair");
  for (int id = 0; id < 2; ++id) driver.submit(sized(id, 2, 4), {.work = seconds(10)});
  driver.submit(sized(2, 2, 4, 4.5), {.work = seconds(3)});

  EXPECT_THAT(ends_of(driver), ElementsAre(22, 23, 13));
}

TEST(Salus, AShorterJobTakesTheLane) {
  Driver driver = driver_of("srtf");
  JobView lengthy = sized(0, 2, 4);
  lengthy.user_estimate = seconds(10);
  JobView brief = sized(1, 2, 4, 2.5);
  brief.user_estimate = seconds(3);
  JobView longest = sized(2, 2, 4, 3);
  longest.user_estimate = seconds(20);
  driver.submit(lengthy, {.work = seconds(10)});
  driver.submit(brief, {.work = seconds(3)});
  driver.submit(longest, {.work = seconds(20)});

  EXPECT_THAT(ends_of(driver), ElementsAre(13, 5.5, 33));
}

TEST(Salus, InOneLaneJobsRunInOrder) {
  Driver driver = driver_of("fifo");
  driver.submit(sized(0, 2, 4), {.work = seconds(10)});
  driver.submit(sized(1, 3, 5), {.work = seconds(4)});
  driver.submit(sized(2, 1, 3), {.work = seconds(5)});

  EXPECT_THAT(ends_of(driver), ElementsAre(10, 14, 19));
}

// The third one has no lane of its own beside both, but beside the first alone.
TEST(Salus, InAsManyLanesAsFitJobsRunSideBySide) {
  Driver driver = driver_of("pack");
  driver.submit(sized(0, 2, 4), {.work = seconds(10)});
  driver.submit(sized(1, 3, 5), {.work = seconds(4)});
  driver.submit(sized(2, 1, 3), {.work = seconds(5)});

  EXPECT_THAT(ends_of(driver), ElementsAre(10, 4, 9));
}

TEST(Salus, AJobThatFindsNoRoomForItsStateWaits) {
  Driver driver = driver_of("fair");
  for (int id = 0; id < 3; ++id) driver.submit(sized(id, 6, 3), {.work = seconds(10)});

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_EQ(driver.outcome(0).end, at(19));
  EXPECT_EQ(driver.outcome(2).runs.at(0).first, at(20));
}

TEST(Salus, AJobThatHasNotStartedTakesAGpuThatComesFree) {
  Driver driver = driver_of("fifo", 2);
  driver.submit(sized(0, 2, 4), {.work = seconds(10)});
  driver.submit(sized(1, 2, 4), {.work = seconds(4)});
  driver.submit(sized(2, 2, 4), {.work = seconds(5)});

  EXPECT_THAT(ends_of(driver), ElementsAre(10, 4, 9));
}

TEST(Salus, GangsOfOneSizeShareTheirGpus) {
  Scheduler scheduler(shape(1, 3, 4), policy("{planner: salus}"));
  for (int id = 0; id < 2; ++id) {
    const int gang = 2 - id;
    (void)scheduler.on_event(JobArrived{job(id, gang)}, at(0));
    (void)scheduler.on_event(AttemptStarted{AttemptId{id}}, at(0));
  }

  const Decision arrival = scheduler.on_event(JobArrived{job(2, 2)}, at(5));

  const auto pauses = actions_of<SuspendAttempt>(arrival);
  ASSERT_THAT(pauses, SizeIs(1));
  EXPECT_EQ(pauses[0].attempt, AttemptId{0});
  EXPECT_EQ(pauses[0].keeps, SuspendedMemory::state);
  const auto starts =
      actions_of<StartAttempt>(scheduler.on_event(AttemptSuspended{AttemptId{0}}, at(6)));
  ASSERT_THAT(starts, SizeIs(1));
  EXPECT_THAT(gpus_of(starts[0].allocation), ElementsAre(0, 1));
}

TEST(Salus, ANodeThatGoesDownTakesItsSuspendedJobsAlong) {
  Driver driver(shape(2, 2, 4), policy("{planner: {name: salus, quantum: 20 s}}"), {});
  for (int id = 0; id < 5; ++id) driver.submit(job(id, 2), {.work = seconds(100)});
  driver.node_down_at(NodeId{1}, at(70), at(150));

  (void)ends_of(driver);
}

}  // namespace
}  // namespace mimus::scheduler::test
