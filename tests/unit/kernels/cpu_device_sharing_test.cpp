// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Tenants of one emulated GPU, in turns and side by side.
#include <algorithm>

#include "cpu_device_fixture.hpp"

namespace mimus::kernels {
namespace {

using std::chrono::milliseconds;

TEST_F(CpuDeviceTest, TwoBusyTenantsTakeTurnsAndSlowEachOther) {
  const Segment s = segment(20, 0);
  device.align(start);
  other.align(start);
  device.launch(s);
  other.launch(s);

  while (device.completed() + other.completed() < 2) {
    for (CpuDevice* tenant : {&device, &other}) {
      // Each may look at the clock only up to its next quantum, as if both ran in step.
      if (tenant->completed() == 0) tenant->progress(tenant->wake());
    }
  }

  // 40 ms of device time in turns: the later tenant ends at 40 ms, the other one turn before.
  const auto last = std::max(device.last_completion(), other.last_completion());
  const auto first = std::min(device.last_completion(), other.last_completion());
  EXPECT_EQ(last, start + milliseconds{40});
  EXPECT_GE(first, start + milliseconds{36});
}

// Nothing is granted that the other one could still precede, however late its process is.
TEST_F(CpuDeviceTest, AProcessThatSleepsLosesNoTurns) {
  const Segment s = segment(100, 0);
  for (CpuDevice* tenant : {&device, &other}) {
    tenant->busy_from(start);
    tenant->align(start);
    tenant->launch(s);
  }
  device.progress(start);

  // It would ask again at 2 ms. Until it does, the other one gets its first turn and then waits.
  for (int i = 0; i < 100; ++i) other.progress(start + milliseconds{40});
  EXPECT_EQ(other.busy(), milliseconds{2});
  EXPECT_EQ(other.due(), start + milliseconds{6});  // the earliest end of a turn from 4 ms on
  device.progress(start + milliseconds{40});
  other.progress(start + milliseconds{40});
  while (device.completed() + other.completed() < 2) {
    for (CpuDevice* tenant : {&device, &other}) {
      if (tenant->completed() == 0) tenant->progress(start + milliseconds{400});
    }
  }

  EXPECT_EQ(device.last_completion(), start + milliseconds{198});
  EXPECT_EQ(other.last_completion(), start + milliseconds{200});
}

// Two tenants of 20 ms each. Each of the 19 slices that waited for a slice of the other tenant
// costs 0.2 ms more.
TEST_F(CpuDeviceTest, TakingTheDeviceFromAnotherTenantCosts) {
  CpuDeviceOptions dear = options(0);
  dear.switching = 0.1;
  CpuDevice first{ledger, dear};
  dear.seat.lane = 1;
  CpuDevice second{ledger, dear};
  const Segment s = segment(20, 0);
  first.align(start);
  second.align(start);
  first.launch(s);
  second.launch(s);

  while (first.completed() + second.completed() < 2) {
    for (CpuDevice* tenant : {&first, &second}) {
      if (tenant->completed() == 0) tenant->progress(tenant->wake());
    }
  }

  const auto last = std::max(first.last_completion(), second.last_completion());
  EXPECT_EQ(last, start + std::chrono::microseconds{43800});
  EXPECT_EQ(first.busy(), milliseconds{20});
}

TEST_F(CpuDeviceTest, AloneNothingIsSwitched) {
  CpuDeviceOptions dear = options(0);
  dear.switching = 0.1;
  CpuDevice alone{ledger, dear};
  const Segment s = segment(20, 0);
  alone.align(start);
  alone.launch(s);
  finish(alone, 1);

  EXPECT_EQ(alone.last_completion(), start + milliseconds{20});
}

// 10 ms alone, then 10 ms that take twice as long. The other tenant takes no turns from it. A
// tenant that is polled late uses the factor of its own time, which is known 13 ms later.
TEST_F(CpuDeviceTest, TenantsSideBySideAreSlowedByTheFactorOfTheirOwnTime) {
  const Duration looked_back = PaceClock::kHaveTold + milliseconds{1};
  CpuDeviceOptions beside = options(0);
  beside.slowdown = [from = start + milliseconds{10} - looked_back](WallInstant at) {
    return at < from ? 1.0 : 2.0;
  };
  CpuDevice first{ledger, beside};
  beside.seat.lane = 1;
  CpuDevice second{ledger, beside};
  const Segment s = segment(20, 0);
  first.align(start);
  first.launch(s);
  second.align(start + milliseconds{10});
  second.launch(s);
  finish(first, 1);
  finish(second, 1);

  EXPECT_EQ(first.last_completion(), start + milliseconds{30});
  EXPECT_EQ(second.last_completion(), start + milliseconds{50});
  EXPECT_EQ(first.busy(), milliseconds{20});  // without the slowdown
}

TEST_F(CpuDeviceTest, HostWorkIsSlowedLikeKernels) {
  CpuDeviceOptions beside = options(0);
  beside.slowdown = [](WallInstant) { return 1.5; };
  CpuDevice slowed{ledger, beside};
  const Segment s = segment(2, 10);
  slowed.align(start);
  slowed.launch(s);
  finish(slowed, 1);

  EXPECT_EQ(slowed.last_completion(), start + milliseconds{15});
}

}  // namespace
}  // namespace mimus::kernels
