// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sharing/exclusive.hpp"

#include <array>

namespace mimus::scheduler {

std::span<const Tier> Exclusive::tiers(int, MilliGpus) const {
  static constexpr std::array kTiers{Tier::idle};
  return kTiers;
}

bool Exclusive::admits(const GpuState&, const ReplicaNeed&, Bytes) const {
  return false;
}

}  // namespace mimus::scheduler
