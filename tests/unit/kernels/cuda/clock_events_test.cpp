// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/clock_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ClockEvents, NamesEveryBitOfNvml) {
  // Values of nvmlClocksEventReasons in nvml.h.
  EXPECT_THAT(clock_event_names(0), IsEmpty());
  EXPECT_THAT(clock_event_names(0x1), ElementsAre("gpu_idle"));
  EXPECT_THAT(clock_event_names(0x2), ElementsAre("applications_clocks"));
  EXPECT_THAT(clock_event_names(0x4), ElementsAre("sw_power_cap"));
  EXPECT_THAT(clock_event_names(0x8), ElementsAre("hw_slowdown"));
  EXPECT_THAT(clock_event_names(0x10), ElementsAre("sync_boost"));
  EXPECT_THAT(clock_event_names(0x20), ElementsAre("sw_thermal_slowdown"));
  EXPECT_THAT(clock_event_names(0x40), ElementsAre("hw_thermal_slowdown"));
  EXPECT_THAT(clock_event_names(0x80), ElementsAre("hw_power_brake"));
  EXPECT_THAT(clock_event_names(0x100), ElementsAre("display_clocks"));
  EXPECT_THAT(clock_event_names(0x200), ElementsAre("board_limit"));
  EXPECT_THAT(clock_event_names(0x400), ElementsAre("reliability"));
}

TEST(ClockEvents, NamesSeveralAndUnknownOnes) {
  EXPECT_THAT(clock_event_names(0x24), ElementsAre("sw_power_cap", "sw_thermal_slowdown"));
  EXPECT_THAT(clock_event_names(0x800), ElementsAre("unknown_0x800"));
  EXPECT_THAT(clock_event_names(1ULL << 63), ElementsAre("unknown_0x8000000000000000"));
}

}  // namespace
}  // namespace mimus::kernels::cuda
