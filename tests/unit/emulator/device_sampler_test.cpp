// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_sampler_fixture.hpp"

namespace mimus::emulator::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(DeviceSamplerTest, SaysWhoseSampleItIsAndWhenOnTheWorldsClock) {
  auto watching = sampler(hours{1});
  const WallInstant before = wall_now() - seconds{10};  // older than any sample

  const auto taken = samples(watching, 1);

  ASSERT_EQ(taken.size(), 1U) << "the first sample is taken at once, the next in an hour";
  EXPECT_EQ(taken[0].cell, 2);
  EXPECT_EQ(taken[0].row.gpu, 4);
  EXPECT_EQ(taken[0].row.host, "b");
  EXPECT_EQ(taken[0].row.device, 1);
  EXPECT_FALSE(taken[0].was_asked_for);
  const WallInstant time{Duration{taken[0].time_ns} - seconds{7}};
  EXPECT_GE(time, before);
  EXPECT_LE(time, wall_now());
}

TEST_F(DeviceSamplerTest, SamplesAgainAndAgainInOrder) {
  auto watching = sampler(milliseconds{2});

  const auto taken = samples(watching, 5);

  ASSERT_GE(taken.size(), 5U);
  EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end(),
                             [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; }));
}

TEST_F(DeviceSamplerTest, AnswersBetweenItsSamplesWhenAsked) {
  auto watching = sampler(hours{1});
  (void)samples(watching, 1);

  watching.sample_now();
  const auto taken = samples(watching, 1);

  ASSERT_EQ(taken.size(), 1U);
  EXPECT_TRUE(taken[0].was_asked_for);
  EXPECT_EQ(taken[0].row.sm_activity, 81.5) << "the second sample has an interval to look back on";
}

TEST_F(DeviceSamplerTest, EndsAtOnceHoweverLongItsInterval) {
  { auto watching = sampler(hours{1}); }  // otherwise the test exceeds its time limit
  EXPECT_EQ(fake.open_gpm_samples, 0);
}

TEST_F(DeviceSamplerTest, MarksWhatTheDeviceDoesNotGive) {
  fake.gpus[0].has_gpm = false;
  fake.gpus[0].events = 0;
  fake.failures["nvmlDeviceGetUtilizationRates"] = kernels::cuda::nvml_abi::kNotSupported;
  auto watching = sampler(hours{1});

  const auto taken = samples(watching, 1);

  ASSERT_EQ(taken.size(), 1U);
  const auto& row = taken[0].row;
  EXPECT_EQ(row.sm_utilisation, -1.0);
  EXPECT_EQ(row.memory_utilisation, -1.0);
  EXPECT_EQ(row.sm_activity, -1.0);
  EXPECT_EQ(row.nvlink_received, -1.0);
  EXPECT_EQ(row.temperature, 61.0);
  EXPECT_EQ(row.clock_events, "none") << "known, and nothing holds the clocks back";
  EXPECT_THAT(taken[0].missing,
              AllOf(HasSubstr("sm_utilisation, memory_utilisation: nvmlDeviceGetUtilizationRates"),
                    HasSubstr("Hopper"), Not(HasSubstr("power"))));
}

}  // namespace
}  // namespace mimus::emulator::test
