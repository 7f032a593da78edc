// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

// Job 0 is stopped for job 1, but job 2 ranks before it and takes two of the four GPUs. The other
// two are of no use to job 1 then, so job 3 need not wait.
TEST(Promises, GivesWhatAPromiseCannotBeKeptWithToTheNext) {
  Scheduler scheduler(shape(1, 4),
                      policy("{order: sjf, preemption: {name: checkpoint, min_run: 0 s}}"));
  (void)scheduler.on_event(JobArrived{estimated(0, 4, 0, 900)}, at(0));
  (void)scheduler.on_event(AttemptStarted{AttemptId{0}}, at(0));
  (void)scheduler.on_event(JobArrived{estimated(1, 4, 1, 100)}, at(1));
  (void)scheduler.on_event(JobArrived{estimated(3, 2, 3, 500)}, at(3));

  const std::vector<Event> at_once{AttemptEnded{AttemptId{0}, EndReason::preempted, "", 0},
                                   JobArrived{estimated(2, 2, 4, 10)}};
  const Decision decision = scheduler.on_events(std::span<const Event>(at_once), at(4));

  const auto starts = actions_of<StartAttempt>(decision);
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_EQ(starts[0].job, JobId{2});
  EXPECT_EQ(starts[1].job, JobId{3});
}

}  // namespace
}  // namespace mimus::scheduler::test
