// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/planner/gandiva/seats.hpp"

namespace mimus::scheduler {

/// Time slicing: gangs that hold the same GPUs take turns, all ranks of a gang at once. A turn
/// lasts for one slice from its first step; then the job is suspended in memory, and the next one
/// starts or resumes. Jobs that find no room wait. Source: Gandiva (Xiao et al., OSDI'18 §3 and
/// §5.1), suspend-resume and placement by affinity. Deviations: what is suspended stays in the
/// memory of its GPUs, so memory limits who shares them.
class Gandiva final : public Planner {
 public:
  struct Settings {
    Duration slice = std::chrono::seconds(60);
    int residents = 4;  ///< most jobs that hold a GPU
  };
  explicit Gandiva(Settings settings) : settings_(settings), seats_(settings.residents) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .starts = true, .failures = true};
  }
  [[nodiscard]] int residents() const override { return settings_.residents; }
  [[nodiscard]] bool names_gpus() const override { return true; }

 private:
  void take_in_waiting(const PlanQuery& query);
  [[nodiscard]] Instant turn(Seat& seat, const IdMap<JobId, const PlanJob*>& jobs,
                             Instant now) const;

  Settings settings_;
  Seats seats_;
};

}  // namespace mimus::scheduler
