// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/scores.hpp"

#include <algorithm>
#include <array>

namespace mimus::scheduler {

int Scores::score(const std::string& model) const {
  const auto stated = settings_.utilisation.find(model);
  const double busy = stated == settings_.utilisation.end() ? 1.0 : stated->second;
  const double speed = busy > 0.5 ? 0.5 / busy : 1.0;
  if (speed >= settings_.tiny_speed) return 0;
  return speed >= settings_.medium_speed ? 1 : 2;
}

std::span<const Tier> Scores::tiers(int, MilliGpus) const {
  static constexpr std::array kTiers{Tier::idle, Tier::partner};
  return kTiers;
}

bool Scores::admits(const GpuState& gpu, const ReplicaNeed& need, Bytes capacity) const {
  if (gpu.tenants.size() != 1) return false;
  const JobKind& other = *gpu.tenants.front().kind;
  if (other.gang != need.kind->gang) return false;
  if (score(other.model) + score(need.kind->model) > settings_.capacity) return false;
  return capacity == Bytes{} || gpu.used_memory() + need.memory <= capacity;
}

std::int64_t Scores::reluctance(const GpuState& gpu, const ReplicaNeed& /*need*/,
                                Bytes /*capacity*/) const {
  int sum = 0;
  for (const Tenant& tenant : gpu.tenants) sum += score(tenant.kind->model);
  return sum;
}

}  // namespace mimus::scheduler
