// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/interference_model.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace mimus::emulator {

StepCost LawOfTenants::without_co_tenants(const Attempt& attempt) const {
  StepCost cost = steps_.step(attempt, Surroundings{});
  cost.step += spills_.of(attempt);
  return cost;
}

const StepCost& LawOfTenants::step_in_turns(const SharingAttempt& sharing, double stretch) const {
  const auto known =
      std::ranges::find(sharing.in_turns, stretch, [](const auto& one) { return one.first; });
  if (known != sharing.in_turns.end()) return known->second;
  Surroundings around = sharing.now;
  around.interference = 1.0;
  around.device_stretch = stretch;
  StepCost slowed = steps_.step(*sharing.attempt, around);
  slowed.step += spills_.of(*sharing.attempt);
  return sharing.in_turns.emplace_back(stretch, slowed).second;
}

void LawOfTenants::take_turns(GpuTenant& tenant, const CoTenant& as) const {
  const StepCost& slowed =
      step_in_turns(*as.sharing, std::max(as.slowed_here, as.slowed_elsewhere));
  const double busy = to_seconds(slowed.device_busy);
  const double all = std::max(to_seconds(slowed.step), busy / as.sharing->attempt->limits.cap);
  tenant.utilisation = all > 0.0 ? std::min(1.0, busy / all) : 1.0;
  tenant.presence = std::min(1.0, tenant.utilisation * as.slowed_here);
}

GpuTenant LawOfTenants::tenant_of(const SharingAttempt& sharing) const {
  const Attempt& attempt = *sharing.attempt;
  const StepCost& alone = sharing.without_co_tenants;
  GpuTenant tenant;
  if (attempt.model != nullptr) tenant.model = attempt.model->name;
  tenant.batch = attempt.batch.per_gpu;
  tenant.device_time = alone.device_busy / attempt.batch.accumulation;
  tenant.stages = attempt.stages;
  tenant.utilisation = in_turns() ? 1.0 : std::min(alone.utilisation(), attempt.limits.cap);
  return tenant;
}

double LawOfTenants::slowdown(const SharingAttempt& attempt,
                              std::span<const CoTenant> beside) const {
  std::vector<GpuTenant> others;
  for (const CoTenant& other : beside) {
    others.push_back(tenant_of(*other.sharing));
    if (in_turns()) take_turns(others.back(), other);
  }
  return law_->slowdown(tenant_of(attempt), others);
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
