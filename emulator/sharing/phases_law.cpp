// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/phases_law.hpp"

#include <algorithm>
#include <vector>

#include "base/fields.hpp"
#include "scheduler/planner/muri/stage_period.hpp"

namespace mimus::emulator {
namespace {

scheduler::StageTimes assumed_stages(const GpuTenant& tenant) {
  if (tenant.stages) return *tenant.stages;
  const double busy = to_seconds(tenant.device_time);
  const double iteration = tenant.utilisation > 0.0 ? busy / tenant.utilisation : busy;
  return {.compute = busy, .iteration = iteration};
}

}  // namespace

double PhasesLaw::slowdown(const GpuTenant& tenant, std::span<const GpuTenant> beside) const {
  if (beside.empty()) return 1.0;
  std::vector<scheduler::StageTimes> stages{assumed_stages(tenant)};
  for (const GpuTenant& other : beside) {
    if (stages.size() < scheduler::kMostInterleaved) stages.push_back(assumed_stages(other));
  }
  const double crowd = static_cast<double>(beside.size() + 1) / static_cast<double>(stages.size());
  return crowd * scheduler::interleaving_slowdown(stages);
}

Choice<SharingLaw> phases_choice() {
  return choice<SharingLaw, PhasesLaw>(
      "phases", "in turns on every resource, by the stages that jobs state (Muri, SIGCOMM'22)");
}

}  // namespace mimus::emulator
