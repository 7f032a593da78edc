// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Elastic gangs for the largest fall of the sum of losses. In every round of T seconds each job
/// gets one GPU in order of arrival. Then the job whose loss it lowers most until the next round
/// gets the next GPU,
///   ΔL(n+1) − ΔL(n) with ΔL(n) = [l(k) − l(k + T ÷ T_iter(n))] ÷ largest fall of one step so far,
/// ties going to the earlier job, until no GPU is left or no job gains. A gang that has changed
/// stays as it is for some rounds, so that changes pay. Losses and step times are estimated from
/// what jobs report; a job without an estimate keeps its one GPU. Source: SLAQ (Zhang et al.,
/// SoCC'17 §3). Deviations: a unit is a GPU instead of a core of Spark; k counts samples at M₀, so
/// that steps count by their progress; the largest fall of a step is the largest mean decline of
/// the fits so far times the progress of a step, because the difference of two reports is mostly
/// noise; the total batch is the user's.
class Slaq final : public Planner {
 public:
  enum class Resize { in_place, restart };  ///< of running jobs
  struct Settings {
    Duration round = std::chrono::seconds(10);
    Duration hold = std::chrono::seconds(50);
    Resize resize = Resize::in_place;
  };
  explicit Slaq(Settings settings) : settings_(settings) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override { return {.every = settings_.round}; }
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool counts_replicas() const override { return true; }
  [[nodiscard]] bool spares_rigid() const override { return true; }
  [[nodiscard]] bool counts_only() const override { return true; }
  [[nodiscard]] bool resizes_in_place() const override {
    return settings_.resize == Resize::in_place;
  }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  [[nodiscard]] bool needs_estimate() const override { return true; }

 private:
  /// True if the job's gang has changed too recently for another change.
  [[nodiscard]] bool holds(const JobView& job, Instant now) const;
  /// How much one GPU more than `gpus` lowers the job's loss until the next round; 0 without an
  /// estimate.
  [[nodiscard]] double gain(const PlanQuery& query, const JobView& job, int gpus) const;

  Settings settings_;
};

}  // namespace mimus::scheduler
