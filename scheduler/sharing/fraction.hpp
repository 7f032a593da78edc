// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// A job occupies the share of each of its GPUs that its user requested, in thousandths. Jobs are
/// on one GPU while their shares add up to at most one, their estimated memory fits and there are
/// no more than `per_gpu` of them. A job that requests whole GPUs needs idle ones. Shares limit
/// placement, not the speed of tenants: in Alibaba's PAI memory is guaranteed by share, while
/// kernels multiplex in time without a guarantee (Weng et al., NSDI'22 §3).
///
/// `prefer: shared` is the packing rule of the simulator of Alibaba's trace of 2023
/// (hkust-adsl/kubernetes-scheduler-simulator): the shared GPU with the least left that takes the
/// job (best fit), then an idle one, so that whole GPUs stay free. `prefer: idle` spreads: an idle
/// GPU while there is one, then as above. Among equal GPUs the placement choice decides.
class Fraction final : public Sharing {
 public:
  enum class Prefer { idle, shared };
  struct Settings {
    int per_gpu = 8;
    Prefer prefer = Prefer::shared;  ///< which GPUs to try first
    bool cap = false;                ///< limits the time of a tenant's kernels to its share
  };
  explicit Fraction(Settings settings) : settings_(settings) {}

  [[nodiscard]] int max_tenants() const override { return settings_.per_gpu; }
  [[nodiscard]] bool divides() const override { return true; }
  [[nodiscard]] bool caps() const override { return settings_.cap; }
  [[nodiscard]] std::span<const Tier> tiers(int gang, MilliGpus share) const override;
  [[nodiscard]] bool admits(const GpuState& gpu, const ReplicaNeed& need,
                            Bytes capacity) const override;
  [[nodiscard]] std::int64_t reluctance(const GpuState& gpu, const ReplicaNeed& need,
                                        Bytes capacity) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
