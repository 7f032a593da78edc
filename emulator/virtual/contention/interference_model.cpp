// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/interference_model.hpp"

#include <algorithm>
#include <vector>

namespace mimus::emulator {

GpuTenant LawOfTenants::tenant_of(const Attempt& attempt) const {
  StepCost alone = steps_.step(attempt, Surroundings{});
  alone.step += spills_.of(attempt);
  GpuTenant tenant;
  if (attempt.model != nullptr) tenant.model = attempt.model->name;
  tenant.batch = attempt.batch.per_gpu;
  tenant.device_time = alone.device_busy / attempt.batch.accumulation;
  tenant.stages = attempt.stages;
  tenant.utilisation = std::min(alone.utilisation(), attempt.limits.cap);
  return tenant;
}

double LawOfTenants::slowdown(const Attempt& attempt,
                              std::span<const Attempt* const> beside) const {
  std::vector<GpuTenant> others;
  for (const Attempt* other : beside) others.push_back(tenant_of(*other));
  return law_->slowdown(tenant_of(attempt), others);
}

}  // namespace mimus::emulator
