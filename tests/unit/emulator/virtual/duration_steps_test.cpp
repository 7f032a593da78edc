// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(DurationSteps, OneStepIsExactlyOneSecondWhenNothingSlowsIt) {
  const auto steps = step_time("duration");

  const auto cost = steps->step(attempt_on(1, {0, 4, 8}), {});

  EXPECT_EQ(cost.step, seconds{1});
  EXPECT_EQ(cost.exposed_communication, Duration{});
  EXPECT_EQ(cost.device_busy, seconds{1});
  EXPECT_TRUE(steps->counts_run_time());
}

TEST(DurationSteps, LocalityFactorsStretchGangsThatSitFarApart) {
  const auto steps = step_time("{name: duration, locality: {same_rack: 1.25, across_racks: 2}}");

  EXPECT_EQ(steps->step(attempt_on(1, {0, 1}), {}).step, seconds{1});
  EXPECT_EQ(steps->step(attempt_on(1, {0, 4}), {}).step, milliseconds{1250});
  EXPECT_EQ(steps->step(attempt_on(1, {0, 8}), {}).step, seconds{2});
  EXPECT_EQ(steps->step(attempt_on(1, {0, 8}), {}).exposed_communication, seconds{1});
}

TEST(DurationSteps, InterferenceStretchesTheStep) {
  const auto steps = step_time("duration");

  EXPECT_EQ(steps->step(attempt_on(1, {0}), {.interference = 1.5}).step, milliseconds{1500});
}

// Alone its cores work for 0.8 of the time, so with 1.5 times as many asked for they take 1.2.
// Co-tenants slow the step that it makes then.
TEST(DurationSteps, AJobIsAsSlowAsItsCores) {
  const auto steps = step_time("duration");
  auto attempt = attempt_on(1, {0});
  attempt.host_share = 0.8;

  EXPECT_EQ(steps->step(attempt, {.core_load = 1.25}).step, seconds{1});
  EXPECT_EQ(steps->step(attempt, {.core_load = 1.5}).step, milliseconds{1200});
  EXPECT_EQ(steps->step(attempt, {.interference = 1.3, .core_load = 1.5}).step, milliseconds{1560});
}

// Its kernels run for half of the time: with turns they take 0.9, and then 1.3.
TEST(DurationSteps, TurnsOfOthersMatterWhereItsKernelsThenTakeLongerThanAStep) {
  const auto steps = step_time("{name: duration, device_busy: 0.5}");
  const auto attempt = attempt_on(1, {0});

  EXPECT_EQ(steps->step(attempt, {.device_stretch = 1.8}).step, seconds{1});
  EXPECT_EQ(steps->step(attempt, {.device_stretch = 2.6}).step, milliseconds{1300});
}

TEST(DurationSteps, ShareOfDeviceTimeIsAsStated) {
  const auto steps = step_time("{name: duration, device_busy: 0.25}");

  EXPECT_EQ(steps->step(attempt_on(1, {0}), {}).device_busy, milliseconds{250});
}

TEST(DurationSteps, RefusesJobsWithoutARunTime) {
  const auto steps = step_time("duration");
  workloads::Job job;
  job.id = JobId{7};
  job.name = "seven";
  job.model = "resnet50";
  job.work_samples = 1e6;

  EXPECT_THAT(message_of([&] { steps->check(job); }),
              testing::AllOf(testing::HasSubstr("job 7 (seven)"), testing::HasSubstr("run time")));
  job.run_time = seconds{5};
  EXPECT_NO_THROW(steps->check(job));
}

TEST(DurationSteps, RefusesFactorsBelowOneAndUnknownLevels) {
  EXPECT_THAT(message_of([] { (void)step_time("{name: duration, locality: {same_rack: 0.5}}"); }),
              testing::HasSubstr("engine.step_time.locality.same_rack"));
  EXPECT_THAT(message_of([] { (void)step_time("{name: duration, locality: {same_rak: 2}}"); }),
              testing::HasSubstr("same_rack"));
}

}  // namespace
}  // namespace mimus::emulator::test
