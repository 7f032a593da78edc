// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/phases_law.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace mimus::emulator {
namespace {

GpuTenant with_stages(double input, double compute, double iteration) {
  GpuTenant tenant;
  tenant.stages = scheduler::StageTimes{.input = input, .compute = compute, .iteration = iteration};
  return tenant;
}

// dqn and gpt2 of Muri's trace: an iteration of both takes 594.90 ms.
TEST(PhasesLaw, TenantsGoAtThePeriodOfTheirGroup) {
  const GpuTenant reads = with_stages(0.446, 0.008, 0.490);
  const GpuTenant computes = with_stages(0.0006, 0.410, 0.426);
  const PhasesLaw law;
  EXPECT_NEAR(law.slowdown(reads, {&computes, 1}), 0.59490 / (1.015 * 0.490), 1e-5);
  EXPECT_NEAR(law.slowdown(computes, {&reads, 1}), 0.59490 / (1.015 * 0.426), 1e-5);
  EXPECT_EQ(law.slowdown(reads, {}), 1.0);
  EXPECT_FALSE(law.switching().has_value());
}

// Two that compute all the time: 2 · 1.33 ÷ 1.015².
TEST(PhasesLaw, WithoutStagesATenantComputesForItsDeviceTime) {
  GpuTenant busy;
  busy.utilisation = 1.0;
  busy.device_time = std::chrono::milliseconds(100);
  const GpuTenant other = with_stages(0.0, 0.1, 0.1);
  EXPECT_NEAR(PhasesLaw{}.slowdown(busy, {&other, 1}), 2.0 * 1.33 / (1.015 * 1.015), 1e-9);
}

TEST(PhasesLaw, MoreThanFourTenantsTakeTurns) {
  const GpuTenant tenant = with_stages(0.002, 0.002, 0.004);
  const std::vector<GpuTenant> three(3, tenant);
  const std::vector<GpuTenant> seven(7, tenant);
  EXPECT_NEAR(PhasesLaw{}.slowdown(tenant, seven), 2.0 * PhasesLaw{}.slowdown(tenant, three),
              1e-12);
}

}  // namespace
}  // namespace mimus::emulator
