// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

using testing::HasSubstr;

double beside(const InterferenceModel& model, const Attempt& self,
              const std::vector<const Attempt*>& others) {
  return model.slowdown(self, others);
}

TEST(Interference, NoneIsInactive) {
  const StatedSteps steps;

  EXPECT_FALSE(interference("none", steps)->active());
}

class UtilisationTest : public testing::Test {
 protected:
  void set(double a, double b) {
    steps_.stated[a_.id] = {.busy = a};
    steps_.stated[b_.id] = {.busy = b};
  }
  StatedSteps steps_;
  Attempt a_ = attempt_on(1, {0});
  Attempt b_ = attempt_on(2, {0});
};

TEST_F(UtilisationTest, TwoThatSaturateTakeTwiceAsLong) {
  set(1.0, 1.0);

  EXPECT_EQ(beside(*interference("utilisation", steps_), a_, {&b_}), 2.0);
}

TEST_F(UtilisationTest, TwoThatFitAreNotSlowed) {
  set(0.03, 0.03);

  EXPECT_EQ(beside(*interference("utilisation", steps_), a_, {&b_}), 1.0);
}

// Equal slices: 0.5 each. The one that asks for 0.85 takes 1.7 as long, the one with 0.7 1.4.
TEST_F(UtilisationTest, WhoWaitsForItsHostLosesLess) {
  set(0.85, 0.7);
  const auto fair = interference("utilisation", steps_);

  EXPECT_NEAR(beside(*fair, a_, {&b_}), 1.7, 1e-12);
  EXPECT_NEAR(beside(*fair, b_, {&a_}), 1.4, 1e-12);
}

// The modest one gets all of its 0.2, the other the remaining 0.8.
TEST_F(UtilisationTest, WhoAsksForLessThanItsShareIsNotSlowed) {
  set(1.0, 0.2);
  const auto fair = interference("utilisation", steps_);

  EXPECT_NEAR(beside(*fair, a_, {&b_}), 1.25, 1e-12);
  EXPECT_EQ(beside(*fair, b_, {&a_}), 1.0);
}

TEST_F(UtilisationTest, TheSumStretchesAllAlike) {
  set(0.85, 0.7);
  const auto sum = interference("{name: utilisation, law: sum}", steps_);

  EXPECT_NEAR(beside(*sum, a_, {&b_}), 1.55, 1e-12);
  EXPECT_NEAR(beside(*sum, b_, {&a_}), 1.55, 1e-12);
}

// The sum 1.55 lies 0.55 of the way from (1, 1.1) to (2, 2.1).
TEST_F(UtilisationTest, ACurveIsLinearBetweenItsPointsAndConstantOutside) {
  const auto curve = interference(
      "{name: utilisation, curve: [{sum: 1, slowdown: 1.1}, {sum: 2, slowdown: 2.1}]}", steps_);

  set(0.85, 0.7);
  EXPECT_NEAR(beside(*curve, a_, {&b_}), 1.65, 1e-12);
  set(0.1, 0.1);
  EXPECT_EQ(beside(*curve, a_, {&b_}), 1.1);
}

TEST_F(UtilisationTest, ThreeShareByThirds) {
  set(1.0, 1.0);
  const auto c = attempt_on(3, {0});

  EXPECT_NEAR(beside(*interference("utilisation", steps_), a_, {&b_, &c}), 3.0, 1e-12);
}

TEST_F(UtilisationTest, CurvesHaveToAscend) {
  EXPECT_THAT(message_of([&] {
                (void)interference(
                    "{name: utilisation, curve: [{sum: 1, slowdown: 1}, {sum: 1, slowdown: 2}]}",
                    steps_);
              }),
              HasSubstr("engine.interference.curve[1].sum"));
  EXPECT_THAT(message_of([&] { (void)interference("{name: utilisation, law: curve}", steps_); }),
              HasSubstr("belong together"));
}

class PairsTest : public testing::Test {
 protected:
  StatedSteps steps_;
  Attempt resnet_ = attempt_on(1, {0}, "resnet50");
  Attempt bert_ = attempt_on(2, {0}, "bert-base");
  Attempt neumf_ = attempt_on(3, {0}, "neumf");
  std::string matrix_ = "slowdowns: {resnet50: {bert-base: 1.5, neumf: 1.25}}";
};

TEST_F(PairsTest, ReadTheRowOfWhoAsks) {
  const auto pairs = interference("{name: pairs, " + matrix_ + "}", steps_);

  EXPECT_EQ(beside(*pairs, resnet_, {&bert_}), 1.5);
}

TEST_F(PairsTest, MultiplyForSeveralCoTenants) {
  const auto pairs = interference("{name: pairs, " + matrix_ + "}", steps_);

  EXPECT_EQ(beside(*pairs, resnet_, {&bert_, &neumf_}), 1.875);
}

TEST_F(PairsTest, TakeAMeasurementOfAllCoTenantsTogetherWhereThereIsOne) {
  const auto pairs = interference(
      "{name: pairs, slowdowns: {resnet50: {bert-base+neumf: 1.6, bert-base: 1.5, neumf: 1.25}}}",
      steps_);

  EXPECT_EQ(beside(*pairs, resnet_, {&neumf_, &bert_}), 1.6);
}

TEST_F(PairsTest, RefuseAnUnknownPairByName) {
  const auto pairs = interference("{name: pairs, " + matrix_ + "}", steps_);

  EXPECT_THAT(message_of([&] { (void)beside(*pairs, bert_, {&resnet_}); }),
              HasSubstr("bert-base beside resnet50"));
}

TEST_F(PairsTest, MayFallBackOnUtilisationOrNothing) {
  steps_.stated[bert_.id] = steps_.stated[resnet_.id] = {.busy = 1.0};
  const auto by_use =
      interference("{name: pairs, otherwise: utilisation, " + matrix_ + "}", steps_);
  const auto free = interference("{name: pairs, otherwise: none, " + matrix_ + "}", steps_);

  EXPECT_EQ(beside(*by_use, bert_, {&resnet_}), 2.0);
  EXPECT_EQ(beside(*free, bert_, {&resnet_}), 1.0);
}

TEST_F(PairsTest, RefuseFactorsBelowOneAndEmptyMatrices) {
  EXPECT_THAT(
      message_of([&] { (void)interference("{name: pairs, slowdowns: {a: {b: 0.9}}}", steps_); }),
      HasSubstr("engine.interference.slowdowns.a.b"));
  EXPECT_THAT(message_of([&] { (void)interference("{name: pairs}", steps_); }),
              HasSubstr("slowdowns"));
}

}  // namespace
}  // namespace mimus::emulator::test
