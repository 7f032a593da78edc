// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// One job per GPU.
class Exclusive final : public Sharing {
 public:
  [[nodiscard]] int max_tenants() const override { return 1; }
  [[nodiscard]] std::span<const Tier> tiers(int gang, MilliGpus share) const override;
  [[nodiscard]] bool admits(const GpuState& gpu, const ReplicaNeed& need,
                            Bytes capacity) const override;
};

}  // namespace mimus::scheduler
