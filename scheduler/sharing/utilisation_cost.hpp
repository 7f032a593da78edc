// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// Jobs share GPUs by a cost of utilisation, memory and number of tenants (Horus, Yeung et al.,
/// TPDS 33(1), 2022, equations 3 to 7). For a replica that requests memory m and utilisation u, on
/// a GPU of memory M whose n tenants use the sums m' and u':
///
///   cost = memory_weight × (m' + m) ÷ M + C + n
///   C = over × (u' + u − 1) if GPU and replica request more than the GPU, else 1 − u' − u
///
/// GPUs with the least cost are taken, including idle ones. A replica joins fewer than `per_gpu`
/// others, and only if more than `spare` of the memory is left. Utilisation is the policy's
/// estimate for each job alone, and that of a GPU is the sum over its tenants.
///
/// The paper's equations are not readable in the available copies. This is the cost of its authors'
/// simulator (matthewygf/GPUSchedule, core/scheduling/horus.py), where (m' + m ÷ M) is read as (m'
/// + m) ÷ M. `by: tenants` is the cost that it names after Gandiva: C = u', without the requested
/// utilisation.
class UtilisationCost final : public Sharing {
 public:
  enum class By { sum, tenants };
  struct Settings {
    int per_gpu = 3;
    By by = By::sum;
    double over = 1.6;  ///< weight of utilisation beyond the GPU
    double memory_weight = 1.3;
    Bytes spare{500e6};
  };
  explicit UtilisationCost(Settings settings) : settings_(settings) {}

  /// `capacity` zero: not stated, and memory costs nothing.
  [[nodiscard]] double cost(const GpuState& gpu, const ReplicaNeed& need, Bytes capacity) const;

  [[nodiscard]] int max_tenants() const override { return settings_.per_gpu; }
  [[nodiscard]] KindTraits kind_traits() const override { return {.utilisation = true}; }
  [[nodiscard]] std::span<const Tier> tiers(int gang, MilliGpus share) const override;
  [[nodiscard]] bool admits(const GpuState& gpu, const ReplicaNeed& need,
                            Bytes capacity) const override;
  /// In millionths of the cost.
  [[nodiscard]] std::int64_t reluctance(const GpuState& gpu, const ReplicaNeed& need,
                                        Bytes capacity) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
