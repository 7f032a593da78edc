// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/interference_model.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace mimus::emulator {

StepCost LawOfTenants::without_co_tenants(const SharingAttempt& sharing) const {
  Surroundings around;
  if (in_turns()) {
    around = sharing.now;
    around.interference = around.device_stretch = 1.0;
  }
  StepCost cost = steps_.step(*sharing.attempt, around);
  cost.step += spills_.of(*sharing.attempt);
  return cost;
}

GpuTenant LawOfTenants::tenant_of(const CoTenant& co_tenant) const {
  const Attempt& attempt = *co_tenant.sharing->attempt;
  StepCost alone = co_tenant.sharing->without_co_tenants;
  GpuTenant tenant;
  if (attempt.model != nullptr) tenant.model = attempt.model->name;
  tenant.batch = attempt.batch.per_gpu;
  tenant.device_time = alone.device_busy / attempt.batch.accumulation;
  tenant.stages = attempt.stages;
  if (in_turns()) {
    const double waits = to_seconds(alone.exposed_communication);
    alone.step -= alone.exposed_communication;
    const double computing = to_seconds(alone.step);
    const double busy = to_seconds(alone.device_busy);
    const double here = std::max(computing, busy * co_tenant.slowed_here);
    const double all = std::max(here, busy * co_tenant.slowed_elsewhere) + waits;
    if (all > 0.0) tenant.presence = here / all;
  }
  tenant.utilisation = std::min(alone.utilisation(), attempt.limits.cap);
  return tenant;
}

double LawOfTenants::slowdown(const SharingAttempt& attempt,
                              std::span<const CoTenant> beside) const {
  std::vector<GpuTenant> others;
  for (const CoTenant& other : beside) others.push_back(tenant_of(other));
  GpuTenant own = tenant_of({.sharing = &attempt});
  if (in_turns()) own.utilisation = 1.0;  // while one of its kernels runs
  return law_->slowdown(own, others);
}

std::optional<double> LawOfTenants::gang_slowdown(
    const SharingAttempt& sharing, std::span<const SharingAttempt* const> beside) const {
  const Attempt& gang = *sharing.attempt;
  if (gang.model == nullptr) return std::nullopt;
  std::vector<std::string_view> models;
  for (const SharingAttempt* other : beside) {
    if (other->attempt->model == nullptr) return std::nullopt;
    models.push_back(other->attempt->model->name);
  }
  std::sort(models.begin(), models.end());
  const auto measured =
      law_->gang_slowdown({.model = gang.model->name, .batch = gang.batch.per_gpu}, models);
  if (!measured) return std::nullopt;
  const StepCost alone = steps_.step(gang, Surroundings{});
  const double step = to_seconds(alone.step);
  const double computing = step - to_seconds(alone.exposed_communication);
  return computing > 0.0 ? 1.0 + (*measured - 1.0) * step / computing : 1.0;
}

}  // namespace mimus::emulator
