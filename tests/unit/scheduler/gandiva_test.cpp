// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns of gangs on the same GPUs (Gandiva, OSDI'18), with the closed forms of
// docs/reproductions.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// One node of four GPUs on which a switch to another job takes `c`: its start, or its going on.
/// The first job starts at −c, so that its first step is at 0.
std::vector<double> ends_of(const std::vector<double>& run_times, double c) {
  Driver driver(shape(1, 4, 4), policy("{planner: {name: gandiva, slice: 60 s}}"),
                {.start = seconds(c), .resume = seconds(c)});
  for (std::size_t i = 0; i < run_times.size(); ++i) {
    driver.submit(job(static_cast<int>(i), 4), {.work = seconds(run_times[i])});
  }
  driver.run();
  EXPECT_THAT(driver.violations(), IsEmpty());
  std::vector<double> ends;
  for (std::size_t i = 0; i < run_times.size(); ++i) {
    ends.push_back(to_seconds(driver.outcome(static_cast<int>(i)).end) - c);
  }
  return ends;
}

TEST(Gandiva, GangsOfOneNodeTakeTurns) {
  EXPECT_THAT(ends_of({300, 300}, 0), ElementsAre(540, 600));
  EXPECT_THAT(ends_of({90, 200, 150}, 0), ElementsAre(210, 440, 420));
}

TEST(Gandiva, EverySwitchCosts) {
  const auto near = [](double end) { return ::testing::DoubleNear(end, 1e-9); };
  EXPECT_THAT(ends_of({300, 300}, 0.1), ElementsAre(near(540.8), near(600.9)));
  EXPECT_THAT(ends_of({90, 200, 150}, 0.1), ElementsAre(near(210.3), near(440.8), near(420.7)));
}

/// Two nodes: a gang of two on the first one, then another.
std::vector<std::int64_t> nodes_of_second(int first, int second) {
  Scheduler scheduler(shape(2, 4, 4), policy("{planner: gandiva}"));
  (void)scheduler.on_event(JobArrived{job(0, first)}, at(0));
  const Decision decision = scheduler.on_event(JobArrived{job(1, second)}, at(1));
  const auto starts = actions_of<StartAttempt>(decision);
  std::vector<std::int64_t> nodes;
  for (const Slot& slot : starts.at(0).allocation.slots) {
    nodes.push_back(scheduler.cluster().shape().node_of(slot.gpu).value());
  }
  return nodes;
}

TEST(Gandiva, NodesHaveAnAffinityForGangsOfOneSize) {
  EXPECT_THAT(nodes_of_second(2, 2), ElementsAre(0, 0));
  EXPECT_THAT(nodes_of_second(2, 1), ElementsAre(1));
  EXPECT_THAT(nodes_of_second(2, 4), ElementsAre(1, 1, 1, 1));
}

// The other node has none left, so the gang of one goes to the first one.
TEST(Gandiva, AGangTakesFreeGpusOfAnotherAffinityRatherThanATurn) {
  Scheduler scheduler(shape(2, 4, 4), policy("{planner: gandiva}"));
  (void)scheduler.on_event(JobArrived{job(0, 4)}, at(0));
  (void)scheduler.on_event(JobArrived{job(1, 2)}, at(1));

  const Decision one = scheduler.on_event(JobArrived{job(2, 1)}, at(2));

  ASSERT_EQ(actions_of<StartAttempt>(one).size(), 1U);
  EXPECT_EQ(actions_of<StartAttempt>(one)[0].allocation.slots[0].gpu, GpuId{6});
}

// Two nodes of two, each of which loses a GPU.
TEST(Gandiva, AGangThatNoNodeIsLeftForSpreads) {
  Scheduler scheduler(shape(2, 2, 4), policy("{planner: gandiva}"));
  (void)scheduler.on_event(GpuDown{GpuId{0}, "lost"}, at(0));
  (void)scheduler.on_event(GpuDown{GpuId{3}, "lost"}, at(0));

  const Decision decision = scheduler.on_event(JobArrived{job(0, 2)}, at(1));

  const auto starts = actions_of<StartAttempt>(decision);
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_THAT(gpus_of(starts[0].allocation), ElementsAre(1, 2));
}

TEST(Gandiva, AJobWaitsWhereNoSeatOfItsSizeHasRoom) {
  Driver driver(shape(1, 2, 2), policy("{planner: {name: gandiva, residents: 2}}"), {});
  for (int id = 0; id < 3; ++id) driver.submit(job(id, 2), {.work = seconds(120)});
  driver.submit(job(3, 1), {.work = seconds(10)});

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_EQ(driver.outcome(0).end, at(180));
  EXPECT_EQ(driver.outcome(1).end, at(240));
  EXPECT_EQ(driver.outcome(2).runs.at(0).first, at(240));  // after a turn with the gang of two
  EXPECT_TRUE(driver.outcome(3).finished);
}

// Each has 2 GB + 64 × 0.1 GB = 8.4 GB of 16 GB.
TEST(Gandiva, ResidentsFitIntoTheMemoryTogether) {
  Driver driver(shape(1, 1, 4), policy("{planner: gandiva}"), {});
  for (int id = 0; id < 2; ++id) {
    JobView view = job(id);
    view.requested_batch = 64;
    driver.submit(view, {.work = seconds(100)});
  }

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_EQ(driver.outcome(0).end, at(100));
  EXPECT_EQ(driver.outcome(1).end, at(200));
}

TEST(Gandiva, AJobThatFailsGetsItsTurnsAgain) {
  Driver driver(shape(1, 1, 4), policy("{planner: gandiva}"), {.stop = seconds(1)});
  driver.submit(job(0), {.work = seconds(200), .failing_attempts = 1});
  driver.submit(job(1), {.work = seconds(200)});

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_TRUE(driver.outcome(0).finished);
  EXPECT_TRUE(driver.outcome(1).finished);
}

// Nothing else happens when its time comes.
TEST(Gandiva, AJobThatRecoveryHoldsBackStartsAgain) {
  Driver driver(shape(1, 1, 4), policy("{planner: gandiva, recovery: {name: retry, delay: 30 s}}"),
                {});
  driver.submit(job(0), {.work = seconds(200), .failing_attempts = 1});

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  EXPECT_EQ(driver.outcome(0).end, at(100 + 30 + 100));
}

TEST(Gandiva, ANodeThatGoesDownTakesItsSuspendedJobsAlong) {
  Driver driver(shape(2, 2, 4), policy("{planner: gandiva}"), {});
  for (int id = 0; id < 5; ++id) driver.submit(job(id, 2), {.work = seconds(300)});
  driver.node_down_at(NodeId{1}, at(200), at(400));

  driver.run();

  EXPECT_THAT(driver.violations(), IsEmpty());
  for (int id = 0; id < 5; ++id) EXPECT_TRUE(driver.outcome(id).finished) << id;
}

std::vector<ResizeAttempt> moves_of(const Decision& decision) {
  return actions_of<ResizeAttempt>(decision);
}

// Jobs 0 and 2 take turns on GPU 0 until job 1 leaves GPU 1.
TEST(Gandiva, AJobThatTakesTurnsMovesToAGpuThatComesFree) {
  Scheduler scheduler(shape(1, 2, 4), policy("{planner: gandiva}"));
  for (int id = 0; id < 3; ++id) (void)scheduler.on_event(JobArrived{job(id)}, at(id));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(5));
  (void)scheduler.on_event(AttemptStarted{AttemptId{1}}, at(5));

  const auto moves =
      moves_of(scheduler.on_event(AttemptEnded{AttemptId{1}, EndReason::finished, "", 1}, at(30)));

  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].from, AttemptId{0});
  EXPECT_THAT(gpus_of(moves[0].allocation), ElementsAre(1));
  const auto starts = actions_of<StartAttempt>(
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::moved, "", 1}, at(40)));
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_EQ(starts[0].job, JobId{2});
  EXPECT_EQ(scheduler.job(JobId{0}).attempt, moves[0].to);
  EXPECT_THAT(gpus_of(scheduler.job(JobId{0}).allocation), ElementsAre(1));
}

// Each of two nodes of two GPUs has a job of one GPU when a gang of two comes.
TEST(Gandiva, ASmallJobMovesOutOfTheWayOfALargerGang) {
  Scheduler scheduler(shape(2, 2, 4), policy("{planner: gandiva}"));
  for (int id = 0; id < 3; ++id) (void)scheduler.on_event(JobArrived{job(id)}, at(id));
  for (int id = 0; id < 3; ++id) (void)scheduler.on_event(AttemptStarted{AttemptId{id}}, at(5));
  (void)scheduler.on_event(AttemptEnded{AttemptId{1}, EndReason::finished, "", 1}, at(30));

  const auto moves = moves_of(scheduler.on_event(JobArrived{job(3, 2)}, at(60)));

  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].job, JobId{0});
  EXPECT_THAT(gpus_of(moves[0].allocation), ElementsAre(3));
  const auto starts = actions_of<StartAttempt>(
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::moved, "", 1}, at(70)));
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_THAT(gpus_of(starts[0].allocation), ElementsAre(0, 1));
}

}  // namespace
}  // namespace mimus::scheduler::test
