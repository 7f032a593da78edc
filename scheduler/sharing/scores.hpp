// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

/// The binder of Lucid (Hu et al., ASPLOS'23 §4.2): a job scores 0 (tiny), 1 (medium) or 2 (jumbo)
/// by how much it would disturb others. Two jobs share their GPUs only if their scores add up to at
/// most `capacity`, they have the same number of GPUs, both are on one node and their memory fits
/// together. At most two jobs are on a GPU. Idle GPUs come first: a job that finds enough of them
/// is never packed. Among partners the one with the lowest score is taken, then the one on the
/// first GPUs.
///
/// Lucid's tree takes scores from measured pairs. Here they follow from the utilisation of the
/// job's model, which users state as they measured it: a job that keeps a GPU busy for a share u of
/// its time runs beside a similar job at min(1, 1 / 2u) of its speed, because both take turns. A
/// job is tiny from `tiny_speed` of its speed on, and medium from `medium_speed` on. Not included:
/// the profiler, a capacity that follows the load, and the separation of pairs that turn out to be
/// slow.
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
