// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds of a window (Shockwave, NSDI'23), by policies-2.md, C3.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "builders.hpp"
#include "driver.hpp"
#include "scheduler/planner/shockwave/training_belief.hpp"
#include "scheduler/planner/shockwave/window_program.hpp"
#include "scheduler/solve/linear_program.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;

constexpr double kClose = 1e-9;

/// Ten epochs: five of 100 s with a batch of 10, then five of 40 s with one of 20. Both make 1,000
/// samples.
EpochProfile doubling() {
  return {.modes = {{10, 1.0, 100.0}, {20, 1.25, 40.0}},
          .iterations = 1000.0,
          .of_epoch = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}};
}

/// Before anything has run, the first epoch counts as seen. Weights 5 + 1 and 5 of 11: 5.4545 and
/// 4.5455 epochs, less the one seen: 445.45 + 181.82 s for int(9 + 1) = 10 epochs, and 10 are left.
TEST(ShockwaveBelief, BatchesAreEquallyFrequentAPriori) {
  const TrainingBelief belief = ProfiledTraining().belief(doubling(), 0.0);
  EXPECT_NEAR(belief.made, 0.0, kClose);
  EXPECT_NEAR(belief.rest, 1000.0, kClose);
  EXPECT_NEAR(belief.left, (60.0 / 11.0 - 1.0) * 100.0 + 50.0 / 11.0 * 40.0, kClose);
}

/// After three epochs four count as seen: weights 9 and 5 of 14, 6.4286 − 4 and 3.5714 epochs for
/// int(6 + 1) = 7 that are left.
TEST(ShockwaveBelief, SeenEpochsAreObservations) {
  const TrainingBelief belief = ProfiledTraining().belief(doubling(), 3.5);
  EXPECT_NEAR(belief.made, 0.3, kClose);
  EXPECT_NEAR(belief.spent, 300.0, kClose);
  EXPECT_NEAR(belief.rest, 700.0, kClose);
  EXPECT_NEAR(belief.left, (90.0 / 14.0 - 4.0) * 100.0 + 50.0 / 14.0 * 40.0, kClose);
}

TEST(ShockwaveBelief, ADoneTrainingHasASecondLeft) {
  const TrainingBelief belief = ProfiledTraining().belief(doubling(), 10.0);
  EXPECT_NEAR(belief.made, 1.0, kClose);
  EXPECT_NEAR(belief.rest, 0.0, kClose);
  EXPECT_NEAR(belief.left, 1.0, kClose);
}

/// The profile makes 1,000 samples in 100 s. 700 are near enough, 500 are not: epochs take twice as
/// long.
TEST(ShockwaveBelief, ProfilesThatAreFarOffAreScaled) {
  ProfiledTraining near;
  near.hear(doubling(), {.samples = 700.0, .trained = 100.0});
  EXPECT_NEAR(near.belief(doubling(), 0.0).rest, 1000.0, kClose);
  ProfiledTraining far;
  far.hear(doubling(), {.samples = 500.0, .trained = 100.0});
  EXPECT_NEAR(far.belief(doubling(), 0.0).rest, 2000.0, kClose);
}

TEST(ShockwaveBelief, EpochsFollowTheTimeWhereNobodyReports) {
  EXPECT_NEAR(epochs_within(doubling(), 250.0), 2.5, kClose);
  EXPECT_NEAR(epochs_within(doubling(), 520.0), 5.5, kClose);
  EXPECT_NEAR(epochs_within(doubling(), 9000.0), 10.0, kClose);
}

WindowJob untouched(double time, double weight = 1.0, int gang = 1) {
  return {.gang = gang, .made = 0.0, .rest = time, .left = time, .weight = weight};
}

Window window(int gpus, int rounds) {
  return {.gpus = gpus, .rounds = rounds, .round = 100.0, .makespan = 1e-3};
}

/// The first fifth of a training is worth far more than all the rest: both get theirs (2 rounds of
/// 10), then both grow alike.
TEST(ShockwaveWindow, EveryJobMakesSomeProgress) {
  const std::vector<WindowJob> jobs{untouched(1000), untouched(1000)};
  EXPECT_THAT(rounds_of_window(jobs, window(1, 4)), ElementsAre(2, 2));
}

TEST(ShockwaveWindow, NobodyHasMoreRoundsThanItNeeds) {
  const std::vector<WindowJob> jobs{untouched(250), untouched(90)};
  EXPECT_THAT(rounds_of_window(jobs, window(2, 10)), ElementsAre(3, 1));
}

/// The second job's first fifth comes before all others; its second one is worth 5·0.69, less than
/// the 12.2 of theirs.
TEST(ShockwaveWindow, WeightsDecide) {
  const std::vector<WindowJob> jobs{untouched(500), untouched(500, 5.0), untouched(500)};
  EXPECT_THAT(rounds_of_window(jobs, window(1, 1)), ElementsAre(0, 1, 0));
  const std::vector<int> two = rounds_of_window(jobs, window(1, 2));
  EXPECT_EQ(two[1], 1);
  EXPECT_EQ(two[0] + two[2], 1);
}

/// Of alike trainings that are over the first fifth, the one that has most left shortens the
/// makespan: with a weight of 1 per second nothing else counts.
TEST(ShockwaveWindow, TheMakespanCounts) {
  const WindowJob brief{.gang = 1, .made = 0.5, .rest = 300.0, .left = 300.0};
  const WindowJob tall{.gang = 1, .made = 0.5, .rest = 3000.0, .left = 3000.0};
  Window by_makespan = window(1, 2);
  by_makespan.makespan = 1.0;
  EXPECT_THAT(rounds_of_window(std::vector{brief, tall}, by_makespan), ElementsAre(0, 2));
  by_makespan.makespan = 0.0;
  EXPECT_THAT(rounds_of_window(std::vector{brief, tall}, by_makespan), ElementsAre(2, 0));
}

TEST(ShockwaveWindow, LeastRoundsAreKept) {
  std::vector<WindowJob> jobs{untouched(500, 5.0), untouched(500)};
  jobs[1].least_rounds = 3;
  EXPECT_THAT(rounds_of_window(jobs, window(1, 4)), ElementsAre(1, 3));
}

/// A round of either takes both GPUs.
TEST(ShockwaveWindow, GangsTakeMoreOfTheWindow) {
  const std::vector<WindowJob> jobs{untouched(500, 1.0, 2), untouched(500, 1.0, 2)};
  EXPECT_THAT(rounds_of_window(jobs, window(2, 2)), ElementsAre(1, 1));
}

/// 2a + 3b ≤ 7 is best at b = 7/3 (16.33); of whole numbers at a = 2, b = 1 (15).
TEST(WholeProgram, NumbersAreWhole) {
  LinearProgram program;
  const int a = program.add_whole_variable(4.0, 2.0);
  const int b = program.add_whole_variable(7.0, 5.0);
  const std::vector<LinearProgram::Term> row{{a, 2.0}, {b, 3.0}};
  (void)program.add_row(-LinearProgram::kUnbounded, row, 7.0);
  const auto found = program.maximise_whole(0.0, 1000);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->objective, 15.0, kClose);
  EXPECT_THAT(found->values, ElementsAre(2.0, 1.0));
}

TEST(WholeProgram, ImpossibleRowsHaveNoSolution) {
  LinearProgram program;
  const std::vector<LinearProgram::Term> row{{program.add_whole_variable(1.0, 3.0), 2.0}};
  (void)program.add_row(3.0, row, 3.0);
  EXPECT_FALSE(program.maximise_whole(0.0, 1000));
}

/// Three jobs of 1,000 s on two GPUs, in rounds of 100 s: nobody waits until another has ended.
TEST(Shockwave, JobsTakeTurns) {
  Driver driver(shape(1, 2),
                policy("{planner: {name: shockwave, round: 100 s, window: 3, renew: 3}}"), {});
  for (int id = 0; id < 3; ++id) {
    driver.submit(estimated(id, 1, 0.0, 1000.0), {.work = seconds(1000.0)});
  }
  driver.run();
  EXPECT_THAT(driver.violations(), ElementsAre());
  for (int id = 0; id < 3; ++id) {
    ASSERT_TRUE(driver.outcome(id).finished);
    EXPECT_LT(driver.outcome(id).runs.front().first, at(300.0)) << id;
    EXPECT_LE(driver.outcome(id).end, at(1600.0)) << id;
    EXPECT_GE(driver.outcome(id).end, at(1300.0)) << id;
  }
}

TEST(Shockwave, AWindowEndsBeforeItsPlanDoes) {
  EXPECT_THROW(policy("{planner: {name: shockwave, window: 5, renew: 6}}"), ConfigError);
}

/// A gang of two GPUs has all of them at once, or none.
TEST(Shockwave, GangsStartWhole) {
  Driver driver(shape(2, 2), policy("{planner: {name: shockwave, round: 100 s}}"), {});
  for (int id = 0; id < 4; ++id) {
    driver.submit(estimated(id, 1 + id % 3, 10.0 * id, 400.0), {.work = seconds(400.0)});
  }
  driver.run();
  EXPECT_THAT(driver.violations(), ElementsAre());
  for (int id = 0; id < 4; ++id) EXPECT_TRUE(driver.outcome(id).finished) << id;
}

}  // namespace
}  // namespace mimus::scheduler::test
