// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/cpu_device.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cpu_device_fixture.hpp"
#include "kernels/cpu/host_rates.hpp"
#include "kernels/host_ordered/host_ordered_step.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;

TEST_F(CpuDeviceTest, PacesASegmentToItsDeviceTimeExactly) {
  const Segment s = segment(10, 0);

  device.align(start);
  device.launch(s);
  finish(device, 1);

  EXPECT_EQ(device.last_completion(), start + milliseconds{10});
  EXPECT_EQ(device.busy(), milliseconds{10});
}

TEST_F(CpuDeviceTest, AppliesTheStretch) {
  const Segment s = segment(10, 0);

  device.set_stretch({.steps = 3, .wall_per_emulated = 0.05});
  device.align(start);
  device.launch(s);
  finish(device, 1);

  EXPECT_EQ(device.last_completion(), start + std::chrono::microseconds{500});
}

TEST_F(CpuDeviceTest, WaitsForTheHostWhenLaunchesAreSlow) {
  const Segment s = segment(2, 10);

  device.align(start);
  device.launch(s);
  device.launch(s);
  finish(device, 2);

  EXPECT_EQ(device.last_completion(), start + milliseconds{20});
  EXPECT_EQ(device.busy(), milliseconds{4});
}

TEST_F(CpuDeviceTest, SaysBeforeWhichInstantWhatWasLaunchedCannotEnd) {
  const Segment five = segment(5, 0);
  const Segment ten = segment(10, 0);
  const Segment slow = segment(10, 50);  // its launches take longer; still a bound
  device.align(start);
  for (const Segment* each : {&five, &ten, &slow}) device.launch(*each);

  for (const int now : {0, 1, 4}) {  // in the middle of the first one, by quantum
    device.progress(start + milliseconds{now});
    EXPECT_EQ(device.no_earlier(2), start + milliseconds{15});
    EXPECT_EQ(device.no_earlier(3), start + milliseconds{25});
  }
  device.progress(start + milliseconds{5});
  ASSERT_EQ(device.completed(), 1);
  EXPECT_EQ(device.no_earlier(2), start + milliseconds{15});
}

TEST_F(CpuDeviceTest, ManyShortSegmentsGetTheSameShareAsFewLongOnes) {
  // 40 ms of work each, in segments of 0.25 and of 20 ms.
  Segment brief = segment(0, 0);
  brief.device_time = std::chrono::microseconds{250};
  const Segment lasting = segment(20, 0);
  device.align(start);
  other.align(start);
  for (int i = 0; i < 160; ++i) device.launch(brief);
  for (int i = 0; i < 2; ++i) other.launch(lasting);

  while (device.completed() < 160 || other.completed() < 2) {
    CpuDevice* next = device.wake() <= other.wake() ? &device : &other;
    next->progress(next->wake());
    if (device.completed() == 160) device.idle_from(device.last_completion());
    if (other.completed() == 2) other.idle_from(other.last_completion());
  }

  const auto last = std::max(device.last_completion(), other.last_completion());
  const auto first = std::min(device.last_completion(), other.last_completion());
  EXPECT_EQ(last, start + milliseconds{80});
  EXPECT_GE(first, start + milliseconds{75});
}

TEST_F(CpuDeviceTest, CountsOnlyTenantsThatHaveLaunchedKernels) {
  const Segment s = segment(1, 0);
  device.reserve_memory(Bytes{1e9});
  other.reserve_memory(Bytes{1e9});
  EXPECT_EQ(device.co_tenants(), 0);

  other.launch(s);
  EXPECT_EQ(device.co_tenants(), 1);

  finish(other, 1);
  other.release();
  EXPECT_EQ(device.co_tenants(), 0);
}

TEST_F(CpuDeviceTest, OverSubscribedMemoryIsOutOfMemory) {
  device.reserve_memory(Bytes{10e9});

  EXPECT_THROW(other.reserve_memory(Bytes{10e9}), OutOfMemoryError);
  device.release();
  EXPECT_NO_THROW(other.reserve_memory(Bytes{10e9}));
}

TEST_F(CpuDeviceTest, WhatAReplicaDoesNotKeepIsFreeForOthers) {
  device.reserve_memory(Bytes{10e9});
  device.keep(Bytes{2e9 + 0.5});
  EXPECT_EQ(ledger.used_memory(0), Bytes{2e9});  // in whole bytes

  EXPECT_NO_THROW(other.reserve_memory(Bytes{14e9}));
  EXPECT_THROW(device.reserve_memory(Bytes{10e9}), OutOfMemoryError);
  other.release();
  EXPECT_NO_THROW(device.reserve_memory(Bytes{10e9}));
  device.keep(Bytes{12e9});
  EXPECT_EQ(ledger.used_memory(0), Bytes{10e9});
  device.release();
  EXPECT_EQ(ledger.used_memory(0), Bytes{});
}

TEST_F(CpuDeviceTest, ExecutesTheFootprintDividedByTheWorkScale) {
  CpuDeviceOptions scaled = options(0);
  scaled.work_scale = 10.0;
  CpuDevice worker(ledger, scaled);
  const Segment s = segment(1, 0);  // 1 GFLOP, 1 MB

  worker.align(start);
  for (int i = 0; i < 5; ++i) worker.launch(s);
  finish(worker, 5);

  // A grain is 0.5 MFLOP and 48 KiB, and the debt never exceeds one grain.
  EXPECT_NEAR(worker.executed().flop.value, 5e8, 0.6e6);
  EXPECT_NEAR(worker.executed().traffic.value, 5e5, 5e4);
}

TEST_F(CpuDeviceTest, RunsAWholeStepOnTheScheduleOfTheModel) {
  FootprintPlan plan;
  plan.forward = {segment(10, 1), segment(10, 1)};
  plan.backward = {segment(20, 30)};
  plan.optimiser = segment(5, 1);
  plan.input_copy = milliseconds{7};
  HostOrderedStep step(device, nullptr, plan);

  const auto outcome = step.run(start, [](WallInstant) { return false; });

  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->end - outcome->begin, solo_step_time(plan, {}).total);
}

TEST_F(CpuDeviceTest, RunsAnyMixOfKernelsAndLaunchesOnTheScheduleOfTheModel) {
  std::mt19937 draw(7);
  const auto drawn = [&] {  // short kernels share a slice, long ones take several
    const unsigned longest = draw() % 2 == 0 ? 10 : 60;
    return std::chrono::microseconds{100 * (draw() % longest)};
  };
  for (int round = 0; round < 200; ++round) {
    FootprintPlan plan;
    plan.forward.assign(4, segment(0, 0));
    plan.backward.assign(8, segment(0, 0));
    for (auto* segments : {&plan.forward, &plan.backward}) {
      for (Segment& one : *segments) {
        one.device_time = drawn();
        one.host_time = drawn();
      }
    }
    plan.optimiser = segment(1, 0);
    HostOrderedStep step(device, nullptr, plan);

    const auto outcome = step.run(start, [](WallInstant) { return false; });

    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->end - outcome->begin, solo_step_time(plan, {}).total) << round;
    start = outcome->end;
  }
}

// Member 0 takes it that what happened kHaveTold before a promise has been told.
TEST_F(CpuDeviceTest, AStepPromisesHardlyMoreThanItsEnd) {
  SharedMemory shared = SharedMemory::anonymous(PaceClock::bytes_needed(2));
  PaceClock clock(PaceClock::Kind::unbound, {static_cast<std::byte*>(shared.data()), shared.size()},
                  2, 1);
  clock.reset();
  CpuDeviceOptions of_second = options(1);
  of_second.clock = &clock;
  CpuDevice paced{ledger, of_second};
  FootprintPlan plan;
  plan.forward = {segment(10, 1), segment(10, 1)};
  plan.backward = {segment(20, 30)};
  plan.optimiser = segment(5, 1);
  HostOrderedStep step(paced, nullptr, plan);
  WallInstant begin = clock.now();
  clock.promise(begin);

  for (int i = 0; i < 20; ++i) {
    const auto outcome = step.run(begin, [](WallInstant) { return false; });

    ASSERT_TRUE(outcome.has_value());
    const WallInstant promised{Duration{clock.report().least_ns}};
    EXPECT_LT(promised - outcome->end, PaceClock::kHaveTold);
    begin = outcome->end;
  }
}

TEST_F(CpuDeviceTest, AStepCanBeAbandoned) {
  FootprintPlan plan;
  plan.forward = {segment(10'000, 0)};
  plan.backward = {segment(10'000, 0)};
  plan.optimiser = segment(1, 0);
  HostOrderedStep step(device, nullptr, plan);

  const auto outcome = step.run(wall_now(), [](WallInstant) { return true; });

  EXPECT_FALSE(outcome.has_value());
  EXPECT_EQ(step.stage(), StepStage::compute);
}

TEST(CpuKernels, EveryKindDoesTheWorkItIsAskedFor) {
  CpuKernels kernels(Bytes{kMi});
  for (int kind = 0; kind < kKernelKinds; ++kind) {
    const WorkAmount before = kernels.executed();
    const KernelGroup group{.kind = static_cast<KernelKind>(kind),
                            .shape = {.rows = 512, .columns = 64, .inner = 576},
                            .flop = Flop{20e6},
                            .traffic = Bytes{5e6}};

    kernels.run(group, 0.5);

    EXPECT_NEAR((kernels.executed().flop - before.flop).value, 10e6, 2e6) << kind;
    EXPECT_NEAR((kernels.executed().traffic - before.traffic).value, 2.5e6, 0.1e6) << kind;
  }
}

TEST(WorkScale, KeepsTheHostAtTheGivenLoad) {
  // 8 GPUs, each with 50 CPU seconds of work per device second, 60 emulated seconds per second, on
  // 2 cores of which 40 % may be used: 50·60·8 / 0.8.
  EXPECT_DOUBLE_EQ(choose_work_scale(50.0, 60.0, 8, 2, 0.4), 30'000.0);
  // The replicas of a single GPU run on one core at a time: 50·60 / 0.4.
  EXPECT_DOUBLE_EQ(choose_work_scale(50.0, 60.0, 1, 2, 0.4), 7'500.0);
  EXPECT_DOUBLE_EQ(choose_work_scale(1e-6, 1.0, 1, 2, 0.4), 1.0);
}

TEST(HostRates, AreMeasuredForEveryKernel) {
  const HostRates rates = measure_host_rates(milliseconds{40});

  for (int kind = 0; kind < kKernelKinds; ++kind) {
    EXPECT_GT(rates.traffic[static_cast<std::size_t>(kind)].value, 1e7) << kind;
  }
  // Any core reaches between 0.5 and 5,000 GFLOP/s in products, so a wrong unit would show.
  EXPECT_GT(rates.flop[static_cast<std::size_t>(KernelKind::gemm)].value, 5e8);
  EXPECT_LT(rates.flop[static_cast<std::size_t>(KernelKind::gemm)].value, 5e12);
}

}  // namespace
}  // namespace mimus::kernels
