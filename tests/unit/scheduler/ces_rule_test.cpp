// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/power/ces_rule.hpp"

#include <gtest/gtest.h>

#include "scheduler/power/demand_forecast.hpp"

namespace mimus::scheduler {
namespace {

/// The mean is 93 for the next 18 steps and `twice` for 36.
CesRule::Forecast predicts(double soon, double twice) {
  return [=](int steps) { return steps <= 18 ? soon : twice; };
}

/// On Venus' thresholds, 105 of 200 nodes are on after the warm-up, of which 100 were used.
CesRule rule_after_warm_up() {
  CesRule rule({}, 200);
  for (int i = 0; i < 6; ++i) rule.end_step(100, predicts(100, 100));
  return rule;
}

TEST(CesRule, KeepsABufferOnAtFirst) {
  EXPECT_EQ(rule_after_warm_up().active(), 105);
}

// History 100, present 95: a fall by 5 ≥ 0.5; forecast 93, by 2 ≥ 1 less; 36 steps 92, so demand
// does not turn up again; 105 − (95 + 5) = 5 ≥ 2 nodes are spare.
TEST(CesRule, SwitchesSpareNodesOffWhenUseFallsAndIsPredictedToFallOn) {
  CesRule rule = rule_after_warm_up();

  rule.end_step(95, predicts(93, 92));

  EXPECT_EQ(rule.active(), 100);
}

TEST(CesRule, KeepsThemOnWhenUseIsPredictedNotToFallEnough) {
  CesRule rule = rule_after_warm_up();

  rule.end_step(95, predicts(94.5, 92));

  EXPECT_EQ(rule.active(), 105);
}

TEST(CesRule, KeepsThemOnWhenDemandTurnsUpAgain) {
  CesRule rule = rule_after_warm_up();

  rule.end_step(95, predicts(93, 94));

  EXPECT_EQ(rule.active(), 105);
}

TEST(CesRule, SwitchesNoFewerOffThanSaid) {
  CesRule rule = rule_after_warm_up();

  rule.end_step(99, predicts(93, 92));  // one would be spare, but two are the least

  EXPECT_EQ(rule.active(), 105);
}

TEST(CesRule, SwitchesNodesOnForWhatIsUsedAndTheBuffer) {
  CesRule rule = rule_after_warm_up();

  EXPECT_FALSE(rule.meet(105));
  EXPECT_TRUE(rule.meet(110));

  EXPECT_EQ(rule.active(), 115);
}

TEST(CesRule, SwitchesOnNoMoreThanThereAre) {
  CesRule rule = rule_after_warm_up();

  EXPECT_TRUE(rule.meet(198));
  EXPECT_FALSE(rule.meet(250));

  EXPECT_EQ(rule.active(), 200);
}

// Nodes are switched on in step 6, and `keep` is 12: step 18 is the first that may switch some off.
TEST(CesRule, HoldsNodesForAWhileAfterOthersWereSwitchedOn) {
  CesRule rule = rule_after_warm_up();
  rule.end_step(110, predicts(100, 100));
  for (int used = 109; used > 98; --used) rule.end_step(used, predicts(0, 0));
  EXPECT_EQ(rule.active(), 115);

  rule.end_step(98, predicts(0, 0));

  EXPECT_EQ(rule.active(), 103);
}

ForecastSettings settings(ForecastSettings::By by) {
  return {.by = by, .day = 4, .days = 2, .persistence = 1};
}

void observe(DemandForecast& forecast, std::initializer_list<double> used) {
  for (const double nodes : used) forecast.observe(nodes);
}

TEST(DemandForecast, FlatSaysAsManyAsNow) {
  const auto forecast = make_forecast(settings(ForecastSettings::By::flat));
  observe(*forecast, {1, 2, 7});

  EXPECT_EQ(forecast->mean(9), 7.0);
}

TEST(DemandForecast, DayBeforeRepeatsTheLastDay) {
  const auto forecast = make_forecast(settings(ForecastSettings::By::day_before));
  observe(*forecast, {1, 2, 3, 4, 9});

  EXPECT_EQ(forecast->mean(2), 1.5);  // steps 4 and 5 as 0 and 1 were
  EXPECT_EQ(forecast->mean(6), (1 + 2 + 3 + 4 + 1 + 2) / 6.0) << "and goes on with the same day";
}

TEST(DemandForecast, OnTheFirstDayNothingIsKnownButThePresent) {
  for (const auto by : {ForecastSettings::By::day_before, ForecastSettings::By::profile}) {
    const auto forecast = make_forecast(settings(by));
    observe(*forecast, {1, 5});
    EXPECT_EQ(forecast->mean(3), 5.0);
  }
}

// Days of 10, 20, 30, 40. On the second day use is 8 above the first, then 4: of a deviation
// 4·8 ÷ 8² = one half is left after a step. So 2 more than 30 are expected next, then 1 more
// than 40.
TEST(DemandForecast, ProfileLetsADeviationFadeAsDeviationsDid) {
  const auto forecast = make_forecast(settings(ForecastSettings::By::profile));
  observe(*forecast, {10, 20, 30, 40, 18, 24});

  EXPECT_EQ(forecast->mean(1), 24.0);
  EXPECT_EQ(forecast->mean(2), (24 + 32) / 2.0);
  EXPECT_EQ(forecast->mean(3), (24 + 32 + 41) / 3.0);
}

// The last two days are averaged: (10 + 20) ÷ 2 and (20 + 40) ÷ 2. Deviations so far are 10, 20 and
// 5: (10·20 + 20·5) ÷ (10² + 20²) = 0.6 is left after a step, so 30 + 3 are expected next.
TEST(DemandForecast, ProfileAveragesDaysAndPredictsWholeNodes) {
  ForecastSettings two_steps = settings(ForecastSettings::By::profile);
  two_steps.day = 2;
  const auto forecast = make_forecast(two_steps);
  observe(*forecast, {10, 20, 20, 40, 20});

  EXPECT_EQ(forecast->mean(1), 20.0);
  EXPECT_EQ(forecast->mean(2), (20 + 33) / 2.0);
}

}  // namespace
}  // namespace mimus::scheduler
