// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Elastic gangs by marginal gain, with the user's total batch. In every round each job gets one
/// GPU in order of arrival while there are any; then one GPU after the other goes to the job whose
/// remaining time it shortens most, (T(n) − T(n+1)) × steps left, ties to the earlier job, until
/// none is left or no job gains. Jobs to which admission refuses a GPU are passed over. Smaller
/// gangs are started first. A model that is split over GPUs gets whole replicas in place of GPUs,
/// and what one saves is divided by its GPUs (§4.1: the gain over the resources that it takes).
/// Source: Optimus (Peng et al., EuroSys'18 §4.1) as "Optimus+Oracle" in the simulator of Pollux
/// (Qiao et al., OSDI'21): step times and steps left are true, not fitted. With `by: estimate` both
/// are what the policy's estimate believes (BelievedCourse): with `fitted`, step times as Optimus
/// fits them while jobs run, by the model of Pollux instead of its own (§3.2), and with its `loss`
/// the steps left, by Optimus' fit of the loss (§3.1, LossBeliefs). A job of which nothing is
/// believed yet keeps its one GPU.
class Greedy final : public Planner {
 public:
  enum class Resize { restart, in_place };  ///< of running jobs
  enum class By { oracle, estimate };       ///< source of step times and steps left
  struct Settings {
    Duration round = std::chrono::seconds(600);
    Resize resize = Resize::restart;
    By by = By::oracle;
  };
  /// `oracle` may be null while a configuration is only checked (ready() is then false) and with
  /// estimates.
  Greedy(Settings settings, std::shared_ptr<const Oracle> oracle)
      : settings_(settings), oracle_(std::move(oracle)) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override { return {.every = settings_.round}; }
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool counts_replicas() const override { return true; }
  [[nodiscard]] bool spares_rigid() const override { return true; }
  [[nodiscard]] bool counts_only() const override { return true; }
  [[nodiscard]] bool resizes_in_place() const override {
    return settings_.resize == Resize::in_place;
  }
  [[nodiscard]] bool asks_estimate() const override { return settings_.by == By::estimate; }
  [[nodiscard]] bool needs_estimate() const override { return asks_estimate(); }
  [[nodiscard]] bool asks_oracle() const override { return settings_.by == By::oracle; }
  [[nodiscard]] bool ready() const override { return !asks_oracle() || oracle_ != nullptr; }

 private:
  /// Seconds that one more replica than those on `gpus` would save the job.
  [[nodiscard]] double gain(const PlanQuery& query, const JobView& job, int gpus) const;

  Settings settings_;
  std::shared_ptr<const Oracle> oracle_;
};

}  // namespace mimus::scheduler
