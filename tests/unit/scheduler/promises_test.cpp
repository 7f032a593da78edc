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

JobView with_memory(int id, double arrival, double estimate, double memory) {
  JobView view = estimated(id, 1, arrival, estimate);
  view.model.base_memory = Bytes{memory};
  view.model.memory_per_sample = Bytes{};
  return view;
}

// Job 1 beside job 2 on GPU 1 yields to job 3, which fits there, and job 0 on GPU 0 to job 4, which
// fits nowhere else. Job 3 would also fit on GPU 0, once both are being stopped: job 2 would then
// have to yield to job 4 as well.
TEST(Promises, KeepTheirPlacesWhenTheyAreRenewed) {
  Scheduler scheduler(shape(1, 2, 2), policy("{order: sjf, sharing: tenants, "
                                             "preemption: {name: checkpoint, min_run: 0 s}}"));
  (void)scheduler.on_event(JobArrived{with_memory(0, 0, 800, 12e9)}, at(0));
  (void)scheduler.on_event(JobArrived{with_memory(1, 0, 900, 8e9)}, at(0));
  (void)scheduler.on_event(JobArrived{with_memory(2, 0, 700, 5e9)}, at(0));
  for (const int attempt : {0, 1, 2}) {
    (void)scheduler.on_event(AttemptStarted{AttemptId{attempt}}, at(1));
  }

  const std::vector<Event> both{JobArrived{with_memory(3, 2, 10, 10e9)},
                                JobArrived{with_memory(4, 2, 20, 14e9)}};
  const Decision first = scheduler.on_events(std::span<const Event>(both), at(2));
  const Decision second = scheduler.on_event(JobArrived{with_memory(5, 3, 999, 1e9)}, at(3));

  const auto stops = actions_of<StopAttempt>(first);
  ASSERT_EQ(stops.size(), 2U);
  EXPECT_EQ(stops[0].attempt, AttemptId{1});
  EXPECT_EQ(stops[1].attempt, AttemptId{0});
  EXPECT_TRUE(actions_of<StopAttempt>(second).empty());
}

}  // namespace
}  // namespace mimus::scheduler::test
