// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/tenants.hpp"

#include <algorithm>
#include <array>

namespace mimus::scheduler {

std::span<const Tier> Tenants::tiers(int, MilliGpus) const {
  static constexpr std::array kIdleFirst{Tier::idle, Tier::any};
  static constexpr std::array kSharedFirst{Tier::shared, Tier::any};
  return settings_.prefer == Prefer::idle ? kIdleFirst : kSharedFirst;
}

bool Tenants::admits(const GpuState& gpu, const ReplicaNeed& need, Bytes capacity) const {
  if (static_cast<int>(gpu.tenants.size()) >= settings_.per_gpu) return false;
  const auto other_gang = [&](const Tenant& tenant) {
    return tenant.kind->gang != need.kind->gang;
  };
  if (settings_.same_gang && std::any_of(gpu.tenants.begin(), gpu.tenants.end(), other_gang)) {
    return false;
  }
  return capacity == Bytes{} || gpu.used_memory() + need.memory <= capacity;
}

std::int64_t Tenants::reluctance(const GpuState& gpu, const ReplicaNeed& /*need*/,
                                 Bytes /*capacity*/) const {
  const auto tenants = static_cast<std::int64_t>(gpu.tenants.size());
  return settings_.prefer == Prefer::shared ? -tenants : tenants;
}

}  // namespace mimus::scheduler
