// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// Up to `per_gpu` jobs on a GPU while their estimated memory fits together: packing by memory
/// without regard to utilisation, the baseline called opportunistic bin packing in Horus (Yeung et
/// al., TPDS 33(1), 2022). With `same_gang` jobs on one GPU have the same number of GPUs, as in the
/// pairs of Gavel (OSDI'20) and Lucid (ASPLOS'23). Otherwise a job with many GPUs would wait at
/// every step for the one that a job with few GPUs slows.
class Tenants final : public Sharing {
 public:
  enum class Prefer { idle, shared };
  struct Settings {
    int per_gpu = 2;
    Prefer prefer = Prefer::idle;  ///< which GPUs to try first
    bool same_gang = false;        ///< only jobs with equal numbers of GPUs share
  };
  explicit Tenants(Settings settings) : settings_(settings) {}

  [[nodiscard]] int max_tenants() const override { return settings_.per_gpu; }
  [[nodiscard]] KindTraits kind_traits() const override { return {.gang = settings_.same_gang}; }
  [[nodiscard]] std::span<const Tier> tiers(int gang, MilliGpus share) const override;
  [[nodiscard]] bool admits(const GpuState& gpu, const ReplicaNeed& need,
                            Bytes capacity) const override;
  [[nodiscard]] std::int64_t reluctance(const GpuState& gpu, const ReplicaNeed& need,
                                        Bytes capacity) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
