// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/fraction.hpp"

#include <array>

namespace mimus::scheduler {

// For a single replica the first two sets already contain all GPUs of `any`.
std::span<const Tier> Fraction::tiers(int gang, MilliGpus share) const {
  static constexpr std::array kSharedFirst{Tier::tightest, Tier::idle, Tier::any};
  static constexpr std::array kIdleFirst{Tier::idle, Tier::tightest, Tier::any};
  if (share == kWholeGpu) return std::span(kIdleFirst).first(1);
  const std::span<const Tier> all = settings_.prefer == Prefer::idle ? kIdleFirst : kSharedFirst;
  return gang == 1 ? all.first(2) : all;
}

bool Fraction::admits(const GpuState& gpu, const ReplicaNeed& need, Bytes capacity) const {
  if (static_cast<int>(gpu.tenants.size()) >= settings_.per_gpu) return false;
  if (need.share > gpu.free_share()) return false;
  return capacity == Bytes{} || gpu.used_memory() + need.memory <= capacity;
}

std::int64_t Fraction::reluctance(const GpuState& gpu, const ReplicaNeed& /*need*/,
                                  Bytes /*capacity*/) const {
  const std::int64_t left = gpu.free_share().value;
  return settings_.prefer == Prefer::shared ? left : -left;
}

}  // namespace mimus::scheduler
