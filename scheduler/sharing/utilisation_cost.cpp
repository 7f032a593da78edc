// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/utilisation_cost.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace mimus::scheduler {

double UtilisationCost::cost(const GpuState& gpu, const ReplicaNeed& need, Bytes capacity) const {
  const double memory = capacity == Bytes{} ? 0.0 : (gpu.used_memory() + need.memory) / capacity;
  const double tenants =
      std::accumulate(gpu.tenants.begin(), gpu.tenants.end(), 0.0,
                      [](double sum, const Tenant& t) { return sum + t.kind->utilisation; });
  const double over = tenants + need.kind->utilisation - 1.0;
  const double by_sum = over > 0.0 ? settings_.over * over : -over;
  const double utilisation = settings_.by == By::sum ? by_sum : tenants;
  return settings_.memory_weight * memory + utilisation + static_cast<double>(gpu.tenants.size());
}

std::span<const Tier> UtilisationCost::tiers(int, MilliGpus) const {
  static constexpr std::array kTiers{Tier::any};
  return kTiers;
}

bool UtilisationCost::admits(const GpuState& gpu, const ReplicaNeed& need, Bytes capacity) const {
  if (static_cast<int>(gpu.tenants.size()) >= settings_.per_gpu) return false;
  return capacity == Bytes{} || capacity - gpu.used_memory() - need.memory > settings_.spare;
}

std::int64_t UtilisationCost::reluctance(const GpuState& gpu, const ReplicaNeed& need,
                                         Bytes capacity) const {
  constexpr double kMillionths = 1e6;
  return std::llround(kMillionths * cost(gpu, need, capacity));
}

}  // namespace mimus::scheduler
