// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"
#include "scheduler/planner/ones/evolution.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A continuous evolutionary search for the sizes of all gangs, and with them of batches, that
/// leave the least service (OnesRules, Evolution). A job may first have one GPU, and twice as many
/// whenever it has trained for two epochs on all GPUs that it may have, up to four times the number
/// that its user requested. The largest job is cut back when it has run for longer than the median
/// of all. Progress is a draw from a Beta distribution of epochs done and estimated epochs left +
/// 1. Jobs that have done less than two epochs, or have no estimate, count as if nothing remained.
/// The best schedule is carried out when all jobs that it changes have trained for an epoch since
/// their last change. Until then waiting jobs only take free GPUs. Source: ONES (Bian et al.,
/// SC'21, and its code). Deviations: placement chooses GPUs for a gang and keeps those that it has,
/// instead of a reordering that keeps most; equal schedules count once in a population; the largest
/// learning rate is that of the model's largest batch; learning rates and their warm-up are not
/// emulated; the median is that of the run times of the last 2,000 jobs.
class Ones final : public Planner {
 public:
  enum class Resize { in_place, restart };  ///< of running jobs
  struct Settings {
    Duration round = std::chrono::seconds(1);
    int population = 16;
    double mutation = 0.3;       ///< θ
    double update_epochs = 1.0;  ///< of all jobs that a change affects, since their last change
    double scale_epochs = 2.0;   ///< before a job's size is predicted or its limit changed
    Resize resize = Resize::in_place;
  };
  Ones(Settings settings, std::uint64_t seed)
      : settings_(settings), random_(seed, "planner ones") {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override { return {.every = settings_.round}; }
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool spares_rigid() const override { return true; }
  [[nodiscard]] bool counts_only() const override { return true; }
  [[nodiscard]] bool resizes_in_place() const override {
    return settings_.resize == Resize::in_place;
  }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  [[nodiscard]] bool needs_estimate() const override { return true; }

 private:
  /// What the planner keeps about a job.
  struct Course {
    int size = 0;   ///< GPUs that it has now
    int limit = 1;  ///< that it may have
    double epochs = 0.0;
    double epochs_at_change = 0.0;  ///< of its size
    Duration run{};                 ///< with GPUs
    std::vector<int> genes{};       ///< its GPUs in each schedule of the population
    [[nodiscard]] double epochs_since() const { return epochs - epochs_at_change; }
  };

  void follow(const PlanQuery& query);
  void raise_limits(const PlanQuery& query);
  void cut_the_largest_back(const PlanQuery& query);
  [[nodiscard]] OnesJob seen(const PlanQuery& query, const JobView& job);
  [[nodiscard]] Schedule evolve(const PlanQuery& query);
  /// The schedule that is carried out now instead of the best one.
  [[nodiscard]] Schedule allowed(const PlanQuery& query, const Schedule& best);

  Settings settings_;
  RandomStream random_;
  std::unordered_map<JobId, Course> courses_;
  std::size_t generation_ = 0;  ///< schedules in the population
  std::deque<double> ended_;    ///< run times of jobs that have left [s]
  Instant last_{};              ///< plan
};

}  // namespace mimus::scheduler
