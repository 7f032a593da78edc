// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/tenant_slowdowns.hpp"

#include <algorithm>
#include <set>

namespace mimus::emulator {

double TenantSlowdowns::of(const SharingAttempt& gang) {
  if (interference_.measures_gangs()) {
    const auto others = all_beside(gang);
    if (others.empty()) return 1.0;
    if (const auto measured = interference_.gang_slowdown(gang, others)) return *measured;
  }
  double worst = 1.0;
  for (const auto& slot : gang.attempt->allocation.slots) {
    worst = std::max(worst, on(gang, slot.gpu));
  }
  return worst;
}

double TenantSlowdowns::on(const SharingAttempt& gang, GpuId gpu) {
  std::vector<CoTenant> co_tenants;
  for (const SharingAttempt* other : beside(gang, gpu)) {
    co_tenants.push_back(co_tenant(*other, gpu));
  }
  return co_tenants.empty() ? 1.0 : interference_.slowdown(gang, co_tenants);
}

CoTenant TenantSlowdowns::co_tenant(const SharingAttempt& other, GpuId gpu) {
  CoTenant tenant{.sharing = &other};
  if (!interference_.in_turns()) return tenant;
  for (const auto& slot : other.attempt->allocation.slots) {
    const double slowed = estimate(other, slot.gpu);
    double& kept = slot.gpu == gpu ? tenant.slowed_here : tenant.slowed_elsewhere;
    kept = std::max(kept, slowed);
  }
  return tenant;
}

double TenantSlowdowns::estimate(const SharingAttempt& gang, GpuId gpu) {
  const auto [entry, is_new] = estimates_.try_emplace({gang.attempt->id, gpu}, 1.0);
  if (!is_new) return entry->second;
  std::vector<CoTenant> co_tenants;
  const auto tenants = static_cast<double>(tenants_[gpu.index()].size());
  for (const SharingAttempt* other : beside(gang, gpu)) {
    co_tenants.push_back({.sharing = other, .slowed_here = tenants});
  }
  if (!co_tenants.empty()) entry->second = interference_.slowdown(gang, co_tenants);
  return entry->second;
}

std::vector<const SharingAttempt*> TenantSlowdowns::beside(const SharingAttempt& own,
                                                           GpuId gpu) const {
  std::vector<const SharingAttempt*> others;
  for (const AttemptId id : tenants_[gpu.index()]) {
    if (id != own.attempt->id) others.push_back(&attempts_.at(id));
  }
  return others;
}

/// On whichever of its GPUs, by ascending id.
std::vector<const SharingAttempt*> TenantSlowdowns::all_beside(const SharingAttempt& gang) const {
  std::set<AttemptId> ids;
  for (const auto& slot : gang.attempt->allocation.slots) {
    const auto& here = tenants_[slot.gpu.index()];
    ids.insert(here.begin(), here.end());
  }
  ids.erase(gang.attempt->id);
  std::vector<const SharingAttempt*> others;
  for (const AttemptId id : ids) others.push_back(&attempts_.at(id));
  return others;
}

}  // namespace mimus::emulator
