// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/lane/tenant_pace.hpp"

#include <array>

#include <gtest/gtest.h>

#include "emulator/sharing/mps_law.hpp"
#include "emulator/sharing/pairs_law.hpp"
#include "emulator/sharing/phases_law.hpp"
#include "emulator/sharing/slices_law.hpp"

namespace mimus::emulator {
namespace {

class TenantPaceTest : public testing::Test {
 protected:
  [[nodiscard]] TenantPace tenant(std::size_t lane, std::unique_ptr<SharingLaw> law) {
    return {std::move(law), {"bert", "neumf", "resnet"}, ranks_, ranks_.at(lane)};
  }
  [[nodiscard]] static std::unique_ptr<SharingLaw> mps() {
    return std::make_unique<MpsLaw>(MpsLaw::Settings{.capacity = 1.0, .slope = 0.5});
  }
  /// bert beside resnet, with any batch and with 16.
  [[nodiscard]] static std::unique_ptr<SharingLaw> pairs() {
    PairMatrix matrix{{{"bert", "resnet"}, 3.0}, {{"bert", "resnet", 16}, 4.0}};
    return std::make_unique<PairsLaw>(MeasuredPairs{std::move(matrix), {}}, nullptr);
  }

  [[nodiscard]] static GpuTenant training(std::string_view model, double utilisation,
                                          std::int64_t batch, Duration device_time = {}) {
    return {.utilisation = utilisation, .model = model, .batch = batch, .device_time = device_time};
  }

  [[nodiscard]] static WallInstant at(int ms) {
    return WallInstant{std::chrono::milliseconds{1'000'000 + ms}};
  }

  std::array<RankStatus, 3> ranks_{};
};

// 1 + 0.5 (0.75 + 0.5 - 1) = 1.125; with a third tenant 1 + 0.5 (0.75 + 0.5 + 0.75 - 1) = 1.5.
TEST_F(TenantPaceTest, FollowsWhoTrainsBesideIt) {
  TenantPace first = tenant(0, mps());
  TenantPace second = tenant(1, mps());
  TenantPace third = tenant(2, mps());

  first.enter(training("bert", 0.75, 8), at(0));
  EXPECT_EQ(first.slowdown(at(0)), 1.0);
  second.enter(training("neumf", 0.5, 8), at(1));
  EXPECT_EQ(first.slowdown(at(1)), 1.125);
  EXPECT_EQ(second.slowdown(at(1)), 1.125);
  third.enter(training("bert", 0.75, 8), at(2));
  EXPECT_EQ(first.slowdown(at(2)), 1.5);
  second.leave(at(3));
  EXPECT_EQ(first.slowdown(at(3)), 1.25);
  third.leave(at(4));
  EXPECT_EQ(first.slowdown(at(4)), 1.0);
}

// 1 + 0.5 (0.75 + 0.75 - 1) · (4 or 1/4)^0.5.
TEST_F(TenantPaceTest, KnowsHowLongTheOthersAreOnTheDevice) {
  const MpsLaw::Settings settings{.capacity = 1.0, .slope = 0.5, .length = 0.5};
  TenantPace first = tenant(0, std::make_unique<MpsLaw>(settings));
  TenantPace second = tenant(1, std::make_unique<MpsLaw>(settings));
  first.enter(training("bert", 0.75, 8, std::chrono::milliseconds{250}), at(0));
  second.enter(training("neumf", 0.75, 8, std::chrono::seconds{1}), at(0));

  EXPECT_EQ(first.slowdown(at(1)), 1.5);
  EXPECT_EQ(second.slowdown(at(1)), 1.125);
}

// The result does not depend on when the others are looked at.
TEST_F(TenantPaceTest, KnowsWhoTrainedBesideItAtAnInstantThatHasPassed) {
  TenantPace first = tenant(0, mps());
  TenantPace second = tenant(1, mps());
  first.enter(training("bert", 0.75, 8), at(0));
  second.enter(training("neumf", 0.5, 8), at(10));
  second.leave(at(20));

  EXPECT_EQ(first.slowdown(at(20)), 1.0);
  EXPECT_EQ(first.slowdown(at(19)), 1.125);
  EXPECT_EQ(first.slowdown(at(10)), 1.125);
  EXPECT_EQ(first.slowdown(at(9)), 1.0);
}

TEST_F(TenantPaceTest, WhatWasToBeginLaterIsReplaced) {
  TenantPace first = tenant(0, mps());
  TenantPace second = tenant(1, mps());
  first.enter(training("bert", 0.75, 8), at(0));
  second.enter(training("neumf", 0.5, 8), at(30));  // after its start-up

  second.leave(at(20));  // in the middle of its start-up

  EXPECT_EQ(first.slowdown(at(40)), 1.0);
}

TEST_F(TenantPaceTest, KnowsModelsAndItsOwnBatch) {
  TenantPace bert = tenant(0, pairs());
  TenantPace resnet = tenant(1, mps());

  bert.enter(training("bert", 1.0, 8), at(0));
  resnet.enter(training("resnet", 1.0, 8), at(0));
  EXPECT_EQ(bert.slowdown(at(0)), 3.0);
  bert.enter(training("bert", 1.0, 16), at(0));  // a change of batch
  EXPECT_EQ(bert.slowdown(at(0)), 4.0);
}

TEST_F(TenantPaceTest, KnowsTheStagesOfTheOthers) {
  TenantPace first = tenant(0, std::make_unique<PhasesLaw>());
  TenantPace second = tenant(1, std::make_unique<PhasesLaw>());
  GpuTenant reads = training("bert", 0.5, 8);
  reads.stages = scheduler::StageTimes{.input = 0.446, .compute = 0.008, .iteration = 0.49};
  GpuTenant computes = training("neumf", 0.5, 8);
  computes.stages = scheduler::StageTimes{.input = 0.0006, .compute = 0.41, .iteration = 0.426};

  first.enter(reads, at(0));
  second.enter(computes, at(1));

  // The law itself, but for single precision.
  EXPECT_NEAR(first.slowdown(at(1)), PhasesLaw{}.slowdown(reads, {&computes, 1}), 1e-6);
  EXPECT_NEAR(second.slowdown(at(1)), PhasesLaw{}.slowdown(computes, {&reads, 1}), 1e-6);
  second.leave(at(2));
  EXPECT_EQ(first.slowdown(at(2)), 1.0);
}

TEST_F(TenantPaceTest, SlowsNobodyWhereTenantsTakeTurns) {
  TenantPace first = tenant(0, std::make_unique<SlicesLaw>(SlicesLaw::Settings{0.1}));
  TenantPace second = tenant(1, nullptr);

  first.enter(training("bert", 1.0, 8), at(0));
  second.enter(training("bert", 1.0, 8), at(0));

  EXPECT_EQ(first.slowdown(at(0)), 1.0);
  EXPECT_EQ(second.slowdown(at(0)), 1.0);
}

TEST_F(TenantPaceTest, BeginsWithoutWhatADeadTenantLeft) {
  tenant(1, mps()).enter(training("bert", 1.0, 8), at(0));

  TenantPace again = tenant(1, mps());
  TenantPace first = tenant(0, mps());
  first.enter(training("bert", 1.0, 8), at(0));

  EXPECT_EQ(first.slowdown(at(0)), 1.0);
}

TEST(SharingMode, SaysWhoDecides) {
  LiveCell cell;
  cell.cluster.shape.gpu_type = "T4";
  cell.engine.interference = ConfigNode::text("slices");
  EXPECT_EQ(sharing_mode(cell), "slices(switching 0)");
  cell.engine.pace = EngineConfig::Pace::none;
  EXPECT_EQ(sharing_mode(cell), "by the cores, which are the devices");
  cell.engine.device = "cuda";
  EXPECT_EQ(sharing_mode(cell), "slices, by the device");
  cell.engine.cuda.sharing = CudaConfig::Sharing::mps;
  EXPECT_EQ(sharing_mode(cell), "mps, by the device");
}

}  // namespace
}  // namespace mimus::emulator
