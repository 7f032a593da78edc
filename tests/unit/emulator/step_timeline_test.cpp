// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/step_timeline.hpp"

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

using std::chrono::milliseconds;

WallInstant at(int ms) {
  return WallInstant{milliseconds{ms}};
}

/// Emulated time passes ten times as fast as wall time. A step should last 10 ms of wall time.
LiveCell cell() {
  LiveCell out;
  out.engine.time_scale = 10.0;
  out.engine.min_step_wall = milliseconds{10};
  return out;
}

/// A step that was scheduled from `begin` to `end` and ended at `now`.
ExecutedStep executed(StepTimeline& timeline, WallInstant begin, WallInstant end, WallInstant now,
                      int steps = 1) {
  ExecutedStep step;
  step.steps = steps;
  timeline.executed(step, begin, {.begin = begin, .end = end}, now);
  return step;
}

// 25 ms at ten times the speed are 2.5 ms of wall time: four of them last 10 ms.
TEST(StepTimeline, RunsAsManyPacedStepsAsOneAsTheHostsTimersNeed) {
  const LiveCell live = cell();
  StepTimeline timeline(live, true);
  timeline.set_modelled(milliseconds{25});
  EXPECT_EQ(timeline.wanted(), 4);
  EXPECT_EQ(timeline.choose(100), 4);
  EXPECT_EQ(timeline.choose(3), 3);
  EXPECT_EQ(timeline.choose(0), 1);
}

// Two steps took 8 ms, so each 4 ms: three last 12 ms. The members agree on fewer.
TEST(StepTimeline, LearnsFromTheLastStepOfADeviceThatIsNotPaced) {
  const LiveCell live = cell();
  StepTimeline timeline(live, false);
  timeline.set_modelled(milliseconds{25});
  EXPECT_EQ(timeline.wanted(), 1);
  (void)executed(timeline, at(100), at(108), at(108), 2);
  EXPECT_EQ(timeline.wanted(), 3);
  timeline.agree_on(2, {});
  EXPECT_EQ(timeline.choose(100), 2);
  timeline.agree_on(-5, {});
  EXPECT_EQ(timeline.choose(100), 1);
}

// The members agree on the step of the fastest: 20 ms, or 30 ms beside a tenant that may leave.
// Alone it is 25 ms. After a change of the batch it is not known.
TEST(StepTimeline, KnowsTheShortestStepOfTheMembersUntilStepsChange) {
  const LiveCell live = cell();
  StepTimeline timeline(live, true);
  timeline.set_modelled(milliseconds{250});
  EXPECT_EQ(timeline.shortest(2), Duration{});
  (void)executed(timeline, at(100), at(160), at(161), 2);
  EXPECT_EQ(timeline.own_step(), milliseconds{30});

  timeline.agree_on(1, milliseconds{20});
  EXPECT_EQ(timeline.shortest(2), milliseconds{40});
  timeline.agree_on(1, milliseconds{30});
  EXPECT_EQ(timeline.shortest(2), milliseconds{50});

  timeline.set_modelled(milliseconds{25});
  EXPECT_EQ(timeline.shortest(2), Duration{});
  EXPECT_EQ(timeline.own_step(), Duration{});
}

// Half of the step (5 ms) and 5 ms more are made up for by a clock that does not wait.
TEST(StepTimeline, KeepsWhatCannotBeMadeGood) {
  const LiveCell live = cell();
  StepTimeline timeline(live, true);
  ExecutedStep in_time = executed(timeline, at(100), at(110), at(120));
  EXPECT_EQ(timeline.next_begin(in_time, false), at(110));
  EXPECT_EQ(in_time.late, Duration{});

  // Measured from the real end of the previous step, 120, so half of it is 0 here.
  ExecutedStep late = executed(timeline, at(110), at(120), at(126));
  EXPECT_EQ(late.begin, at(120));
  EXPECT_EQ(timeline.next_begin(late, false), at(126));
  EXPECT_EQ(late.late, milliseconds{6});
}

// A late look at a step that ended in time loses nothing.
TEST(StepTimeline, EndsStepsWhereTheyWereScheduledIfTheClockWaits) {
  const LiveCell live = cell();
  StepTimeline timeline(live, true);
  ExecutedStep step = executed(timeline, at(100), at(110), at(150));
  EXPECT_EQ(timeline.next_begin(step, true), at(110));
  EXPECT_EQ(step.end, at(110));
  EXPECT_EQ(executed(timeline, at(110), at(120), at(120)).begin, at(110));
}

}  // namespace
}  // namespace mimus::emulator
