// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Scheduler in_place(int gpus) {
  return Scheduler(shape(1, gpus),
                   policy("planner: {name: greedy, round: 60 s, resize: in_place}"));
}

// Oracle of builders.hpp: job 7 can use 8 GPUs, and job 8 one. Alone, job 7 gets all four GPUs.
// Then it keeps three of them. The fourth goes to job 8 when the gang reaches a step boundary.
TEST(ResizeInPlace, ShrinksToTheFirstMembers) {
  Scheduler scheduler = in_place(4);
  (void)scheduler.on_event(JobArrived{job(7)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(1));
  (void)scheduler.on_event(JobArrived{job(8, 1, 5)}, at(5));
  const Decision resize = scheduler.on_event(Timer{}, at(60));

  const Decision start =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::resized, "", 70}, at(61));

  ASSERT_EQ(resize.actions.size(), 1U);
  const auto resized = actions_of<ResizeAttempt>(resize).at(0);
  EXPECT_EQ(resized.from, AttemptId{0});
  EXPECT_EQ(resized.to, AttemptId{1});
  EXPECT_THAT(gpus_of(resized.allocation), ElementsAre(0, 1, 2));
  ASSERT_EQ(start.actions.size(), 1U);
  EXPECT_THAT(gpus_of(actions_of<StartAttempt>(start).at(0).allocation), ElementsAre(3));
  EXPECT_EQ(scheduler.job(JobId{7}).attempt, AttemptId{1});
  EXPECT_EQ(scheduler.job(JobId{7}).progress.samples_done, 70.0);
  EXPECT_EQ(scheduler.job(JobId{7}).service(at(71)).count(), seconds(4 * 61 + 3 * 10).count());
  EXPECT_EQ(scheduler.cluster().idle_gpus(), 0);
}

/// Job 7 on two of four GPUs, beside jobs 8 and 16, which can use one GPU each. Job 16 ends, so job
/// 7 is asked to grow in the round at 120 s.
struct GrowingGang : testing::Test {
  Scheduler scheduler = in_place(4);
  ResizeAttempt resize;

  GrowingGang() {
    for (const int id : {7, 8, 16}) (void)scheduler.on_event(JobArrived{job(id)}, at(1));
    const Decision starts = scheduler.on_event(Timer{}, at(60));
    for (const StartAttempt& start : actions_of<StartAttempt>(starts)) {
      attempts[start.job] = start.attempt;
      (void)scheduler.on_event(AttemptStarted{start.attempt}, at(61));
    }
    (void)scheduler.on_event(AttemptEnded{attempts[JobId{16}], EndReason::finished, "", 0}, at(90));
    resize = actions_of<ResizeAttempt>(scheduler.on_event(Timer{}, at(120))).at(0);
  }

  std::map<JobId, AttemptId> attempts;
};

TEST_F(GrowingGang, BooksItsNewGpusAtOnce) {
  EXPECT_EQ(resize.from, attempts[JobId{7}]);
  EXPECT_EQ(resize.allocation.slots.size(), 3U);
  EXPECT_EQ(scheduler.cluster().idle_gpus(), 0);
  EXPECT_EQ(scheduler.job(JobId{7}).gpus(), 2);

  (void)scheduler.on_event(AttemptEnded{resize.from, EndReason::resized, "", 0}, at(130));

  EXPECT_EQ(scheduler.job(JobId{7}).gpus(), 3);
  EXPECT_EQ(scheduler.cluster().idle_gpus(), 0);
}

TEST_F(GrowingGang, GivesThemBackWhenItsJobEndsFirst) {
  (void)scheduler.on_event(AttemptEnded{resize.from, EndReason::finished, "", 0}, at(130));

  EXPECT_EQ(scheduler.cluster().idle_gpus(), 3);
}

TEST_F(GrowingGang, IsNotResizedAgainMeanwhile) {
  EXPECT_THAT(scheduler.on_event(Timer{}, at(180)).actions, IsEmpty());
}

}  // namespace
}  // namespace mimus::scheduler::test
