// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

using testing::HasSubstr;

TEST(Interference, NoneIsInactive) {
  const StatedSteps steps;

  EXPECT_FALSE(interference("none", steps)->active());
}

// While a kernel of one runs, the other wants the GPU for 0.3 of the time, or for 0.6 if its
// kernels take twice as long.
TEST(Interference, ALawGoesByHowLongTenantsWantTheDevice) {
  StatedSteps steps;
  const auto a = attempt_on(1, {0});
  const auto b = attempt_on(2, {0});
  steps.stated[a.id] = steps.stated[b.id] = {.busy = 0.3};

  const auto law = interference("slices", steps);
  EXPECT_NEAR(slowdown_of(*law, a, {&b}), 1.0 / 0.85, 1e-12);
  const SharingAttempt other = sharing(*law, b);
  const std::array slowed{CoTenant{.sharing = &other, .slowed_here = 2.0}};
  EXPECT_NEAR(law->slowdown(sharing(*law, a), slowed), 1.0 / 0.7, 1e-12);
  EXPECT_EQ(interference("{name: slices, switching: 0.1}", steps)->name(), "slices(switching 0.1)");
}

// Beside others on its node each needs two seconds for a step instead of one, and its kernels want
// the device for 0.6 of them. A law without turns does not tell.
TEST(Interference, TenantsThatWaitForTheirHostAskForLessOfTheDevice) {
  StatedSteps steps;
  steps.hosts = true;
  const auto a = attempt_on(1, {0});
  const auto b = attempt_on(2, {0});
  steps.stated[a.id] = steps.stated[b.id] = {.busy = 0.6};
  const auto of_slowed = [&](const InterferenceModel& model) {
    const SharingAttempt other = sharing(model, b, {.gpus_in_use = 2});
    const std::array others{CoTenant{.sharing = &other}};
    return model.slowdown(sharing(model, a, {.gpus_in_use = 2}), others);
  };

  EXPECT_NEAR(of_slowed(*interference("slices", steps)), 1.0 / 0.85, 1e-12);
  EXPECT_NEAR(slowdown_of(*interference("slices", steps), a, {&b}), 1.0 / 0.7, 1e-12);
  const auto mps = interference("mps", steps);
  EXPECT_EQ(of_slowed(*mps), slowdown_of(*mps, a, {&b}));
}

// Each computes for 0.5 of its step, and exchanges gradients for the other half. The co-tenant
// computes for twice as long beside it, so 2 ÷ 3 of the time: its mean pace is 1/3 + 2/3 · 1/2.
TEST(Interference, ATenantThatExchangesGradientsTakesNoTurns) {
  StatedSteps steps;
  const auto a = attempt_on(1, {0, 1});
  const auto b = attempt_on(2, {0, 2});
  steps.stated[a.id] = steps.stated[b.id] = {.busy = 0.5, .waits = 0.5};
  const auto law = interference("slices", steps);
  const SharingAttempt own = sharing(*law, a);
  const SharingAttempt other = sharing(*law, b);

  const std::array slowed_here{CoTenant{.sharing = &other, .slowed_here = 2.0}};
  EXPECT_NEAR(law->slowdown(own, slowed_here), 1.5, 1e-12);
  // Its replica elsewhere is slower still, for which this one waits: it computes for 2 ÷ 5.
  const std::array slowed{CoTenant{.sharing = &other, .slowed_here = 2.0, .slowed_elsewhere = 4.0}};
  EXPECT_NEAR(law->slowdown(own, slowed), 1.0 / (0.6 + 0.4 / 2), 1e-12);
}

// A second of kernels at a quarter of the time makes a step of four seconds. In turns with a they
// are on the device for two of them.
TEST(Interference, ACapLimitsHowOftenATenantWantsTheDevice) {
  StatedSteps steps;
  const auto a = attempt_on(1, {0});
  auto b = attempt_on(2, {0});
  b.limits.cap = 0.25;
  steps.stated[b.id] = {.busy = 1.0};
  const auto law = interference("slices", steps);
  const SharingAttempt other = sharing(*law, b);
  const std::array turns{CoTenant{.sharing = &other, .slowed_here = 2.0}};

  EXPECT_NEAR(law->slowdown(sharing(*law, a), turns), 1.0 / 0.75, 1e-12);
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

  EXPECT_EQ(slowdown_of(*pairs, resnet_, {&bert_}), 1.5);
}

TEST_F(PairsTest, AddUpForSeveralCoTenants) {
  const auto pairs = interference("{name: pairs, " + matrix_ + "}", steps_);

  EXPECT_EQ(slowdown_of(*pairs, resnet_, {&bert_, &neumf_}), 1.75);
}

TEST_F(PairsTest, TakeAMeasurementOfAllCoTenantsTogetherWhereThereIsOne) {
  const auto pairs = interference(
      "{name: pairs, slowdowns: {resnet50: {bert-base+neumf: 1.6, bert-base: 1.5, neumf: 1.25}}}",
      steps_);

  EXPECT_EQ(slowdown_of(*pairs, resnet_, {&neumf_, &bert_}), 1.6);
}

TEST_F(PairsTest, RefuseAnUnknownPairByName) {
  const auto pairs = interference("{name: pairs, " + matrix_ + "}", steps_);

  EXPECT_THAT(message_of([&] { (void)slowdown_of(*pairs, bert_, {&resnet_}); }),
              HasSubstr("bert-base beside resnet50"));
}

TEST_F(PairsTest, MayFallBackOnSlicesOrNothing) {
  steps_.stated[bert_.id] = steps_.stated[resnet_.id] = {.busy = 1.0};
  const auto by_use = interference("{name: pairs, otherwise: slices, " + matrix_ + "}", steps_);
  const auto free = interference("{name: pairs, otherwise: none, " + matrix_ + "}", steps_);

  EXPECT_EQ(slowdown_of(*by_use, bert_, {&resnet_}), 2.0);
  EXPECT_EQ(slowdown_of(*free, bert_, {&resnet_}), 1.0);
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
