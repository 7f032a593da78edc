// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/planner/gandiva/packing.hpp"

namespace mimus::scheduler {

/// Time slicing: gangs that hold the same GPUs take turns, all ranks of a gang at once. A turn
/// lasts for one slice from its first step. The job is then suspended in memory, and the next one
/// starts or resumes. Two jobs that take turns are packed into one turn if this is measured to be
/// faster. Jobs move to GPUs that become free, and out of the way of larger gangs. While no job
/// waits, gangs grow onto idle GPUs. Jobs that do not fit wait. Source: Gandiva (Xiao et al.,
/// OSDI'18 §3 to §5). Deviations: a suspended job stays in the memory of its GPUs, so memory limits
/// which jobs share them; only gangs that take turns on the same GPUs are packed; gangs grow within
/// their node.
class Gandiva final : public Planner {
 public:
  struct Settings {
    Duration slice = std::chrono::seconds(60);
    int residents = 4;  ///< maximum number of jobs that hold a GPU
    bool packs = true;
    bool migrates = true;
    bool grows = false;
  };
  explicit Gandiva(Settings settings)
      : settings_(settings), seats_(settings.residents), packing_(kTrialSlices * settings.slice) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .starts = true, .failures = true};
  }
  [[nodiscard]] int residents() const override { return settings_.residents; }
  [[nodiscard]] bool names_gpus() const override { return true; }
  [[nodiscard]] bool moves() const override { return settings_.migrates; }
  [[nodiscard]] bool keeps_gangs() const override { return !settings_.grows; }
  [[nodiscard]] bool spares_rigid() const override { return true; }
  [[nodiscard]] bool resizes_in_place() const override { return settings_.grows; }
  [[nodiscard]] bool asks_estimate() const override { return settings_.grows; }
  [[nodiscard]] Duration sample_interval() const override {
    return settings_.packs ? settings_.slice : Duration::max();
  }
  void observe(const JobView& job, const JobSample& sample) override {
    packing_.observe(job, sample);
  }

 private:
  static constexpr int kTrialSlices = 5;

  using Jobs = IdMap<JobId, const PlanJob*>;
  void take_in_waiting(const PlanQuery& query);
  [[nodiscard]] bool is_any_waiting(const PlanQuery& query) const;
  [[nodiscard]] Instant grow(const PlanQuery& query, const Jobs& jobs);
  void move_to_free_gpus(const PlanQuery& query, const Jobs& jobs);
  [[nodiscard]] Instant turn(Seat& seat, const Jobs& jobs, Instant now);
  [[nodiscard]] Instant turn_over(const Seat& seat, const Jobs& jobs) const;

  Settings settings_;
  Seats seats_;
  Packing packing_;
};

}  // namespace mimus::scheduler
