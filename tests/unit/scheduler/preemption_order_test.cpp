// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Which job comes first when one waiting job fits and a better-ranked one needs others to yield.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Job 2 needs the GPU that becomes idle at 10 s in addition to those of job 1. Job 3 would fit
// there.
TEST(PreemptionOrder, TheWorseJobThatFitsWaitsForTheBetterOneThatOthersYieldTo) {
  Scheduler scheduler(shape(1, 8),
                      policy("{order: sjf, preemption: {name: checkpoint, min_run: 0 s}}"));
  (void)scheduler.on_event(JobArrived{estimated(0, 1, 0, 10)}, at(0));
  (void)scheduler.on_event(JobArrived{estimated(1, 7, 0, 500)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{1}}, at(0));
  (void)scheduler.on_event(JobArrived{estimated(2, 8, 5, 100)}, at(5));
  (void)scheduler.on_event(JobArrived{estimated(3, 1, 6, 900)}, at(6));

  const Decision idle =
      scheduler.on_event(AttemptEnded{AttemptId{0}, EndReason::finished, "", 0}, at(10));
  const Decision freed =
      scheduler.on_event(AttemptEnded{AttemptId{1}, EndReason::preempted, "", 0}, at(11));

  EXPECT_THAT(actions_of<StartAttempt>(idle), IsEmpty());
  ASSERT_THAT(actions_of<StopAttempt>(idle), SizeIs(1));
  EXPECT_EQ(actions_of<StopAttempt>(idle)[0].attempt, AttemptId{1});
  ASSERT_THAT(actions_of<StartAttempt>(freed), SizeIs(1));
  EXPECT_EQ(actions_of<StartAttempt>(freed)[0].job, JobId{2});
}

// No job can yield to job 2, because the running job ranks before it.
TEST(PreemptionOrder, AJobThatFitsPassesABetterOneThatNobodyYieldsTo) {
  Scheduler scheduler(shape(1, 8),
                      policy("{order: sjf, preemption: {name: checkpoint, min_run: 0 s}}"));
  (void)scheduler.on_event(JobArrived{estimated(1, 7, 0, 50)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));
  (void)scheduler.on_event(JobArrived{estimated(2, 8, 5, 100)}, at(5));

  const Decision passed = scheduler.on_event(JobArrived{estimated(3, 1, 6, 900)}, at(6));

  EXPECT_THAT(actions_of<StopAttempt>(passed), IsEmpty());
  ASSERT_THAT(actions_of<StartAttempt>(passed), SizeIs(1));
  EXPECT_EQ(actions_of<StartAttempt>(passed)[0].job, JobId{3});
}

}  // namespace
}  // namespace mimus::scheduler::test
