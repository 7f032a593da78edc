// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// The binder of Lucid (Hu et al., ASPLOS'23 §4.2): a job scores 0 (tiny), 1 (medium) or 2 (jumbo)
/// by how much it would disturb, and two share their GPUs only if their scores add up to no more
/// than `capacity`, they have as many GPUs each, both are on one node and their memory fits
/// together. At most two jobs are on a GPU. Idle GPUs go first: who finds enough of them is never
/// packed. Among partners the one with the lowest score is taken, then the one on the first GPUs.
///
/// Lucid's tree takes scores from measured pairs. Here they follow from the utilisation of the
/// job's model, which users give as they measured it: a job that keeps a GPU busy for a share u of
/// its time runs beside one like it at min(1, 1 / 2u) of its speed, as both take turns. From
/// `tiny_speed` of its speed on it is tiny, from `medium_speed` on medium. Not included: the
/// profiler, a capacity that follows the load, and parting pairs that turn out badly.
class Scores final : public Sharing {
 public:
  struct Settings {
    std::map<std::string, double> utilisation;  ///< by model, 0..1
    int capacity = 2;
    double tiny_speed = 0.95;
    double medium_speed = 0.85;
  };
  explicit Scores(Settings settings) : settings_(std::move(settings)) {}

  /// 0, 1 or 2.
  [[nodiscard]] int score(const std::string& model) const;

  [[nodiscard]] int max_tenants() const override { return 2; }
  [[nodiscard]] KindTraits kind_traits() const override { return {.gang = true, .model = true}; }
  [[nodiscard]] std::span<const Tier> tiers(int gang, MilliGpus share) const override;
  [[nodiscard]] bool admits(const GpuState& gpu, const ReplicaNeed& need,
                            Bytes capacity) const override;
  [[nodiscard]] std::int64_t reluctance(const GpuState& gpu, const ReplicaNeed& need,
                                        Bytes capacity) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
