// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/tenants.hpp"

#include <array>

namespace mimus::scheduler {

std::span<const Tier> Tenants::tiers() const {
  static constexpr std::array kIdleFirst{Tier::idle, Tier::any};
  static constexpr std::array kSharedFirst{Tier::shared, Tier::any};
  return settings_.prefer == Prefer::idle ? kIdleFirst : kSharedFirst;
}

bool Tenants::admits(const GpuState& gpu, Bytes memory, Bytes capacity) const {
  if (static_cast<int>(gpu.tenants.size()) >= settings_.per_gpu) return false;
  return capacity == Bytes{} || gpu.used_memory() + memory <= capacity;
}

}  // namespace mimus::scheduler
