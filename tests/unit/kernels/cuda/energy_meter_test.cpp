// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/energy_meter.hpp"

#include <gtest/gtest.h>

namespace mimus::kernels::cuda {
namespace {

using Source = EnergyMeter::Source;
constexpr auto kNothing = std::nullopt;

WallInstant at(double seconds) {
  return WallInstant{from_seconds(seconds)};
}

TEST(EnergyMeter, TakesTheDifferenceOfTheCounter) {
  EnergyMeter meter;

  EXPECT_EQ(meter.update(at(0), 5'000'000, 300.0), 0.0);
  EXPECT_EQ(meter.update(at(10), 5'003'500, 0.0), 3.5);  // 3500 mJ, whatever the power
  EXPECT_EQ(meter.source(), Source::counter);
}

TEST(EnergyMeter, IntegratesPowerWithoutACounter) {
  EnergyMeter meter;

  EXPECT_EQ(meter.update(at(1), kNothing, 100.0), 0.0);
  EXPECT_EQ(meter.update(at(3), kNothing, 300.0), 400.0);  // 2 s of (100 + 300) / 2 W
  EXPECT_EQ(meter.update(at(4), kNothing, 300.0), 700.0);
  EXPECT_EQ(meter.source(), Source::power);
}

TEST(EnergyMeter, BridgesAGapOfPowerReadings) {
  EnergyMeter meter;
  (void)meter.update(at(0), kNothing, 100.0);

  EXPECT_EQ(meter.update(at(1), kNothing, kNothing), kNothing);
  EXPECT_EQ(meter.update(at(2), kNothing, 200.0), 300.0);  // 2 s of 150 W
}

TEST(EnergyMeter, NeverChangesItsSource) {
  EnergyMeter counted;
  (void)counted.update(at(0), 1000, 100.0);
  EXPECT_EQ(counted.update(at(1), kNothing, 100.0), kNothing);
  EXPECT_EQ(counted.update(at(2), 2000, kNothing), 1.0);

  EnergyMeter integrated;
  (void)integrated.update(at(0), kNothing, 100.0);
  EXPECT_EQ(integrated.update(at(1), 1000, 100.0), 100.0);
}

TEST(EnergyMeter, IsUndecidedUntilThereIsASource) {
  EnergyMeter meter;

  EXPECT_EQ(meter.update(at(0), kNothing, kNothing), kNothing);
  EXPECT_EQ(meter.source(), Source::undecided);
  EXPECT_EQ(meter.update(at(1), 7000, kNothing), 0.0);
}

TEST(EnergyMeter, GivesUpWhenTheCounterWentBackwards) {
  EnergyMeter meter;
  (void)meter.update(at(0), 9000, kNothing);
  (void)meter.update(at(1), 9500, kNothing);

  EXPECT_EQ(meter.update(at(2), 9200, kNothing), kNothing) << "above the first, below the last";
  EXPECT_EQ(meter.update(at(3), 20'000, kNothing), kNothing);
  EXPECT_TRUE(meter.counter_was_reset());
}

}  // namespace
}  // namespace mimus::kernels::cuda
