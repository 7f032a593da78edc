// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "scheduler/planner/planner.hpp"
#include "scheduler/planner/shockwave/training_belief.hpp"
#include "scheduler/planner/shockwave/window_program.hpp"

namespace mimus::scheduler {

/// Jobs hold their GPUs for rounds. A program shares the rounds of a window among them by the
/// progress that they make of their training, whose batches may change, and by how late they are
/// against an equal share of the cluster (Shockwave, Zheng et al., NSDI'23). Source:
/// scheduler/shockwave.py of its artifact. Deviations: rounds are counted, not placed one by one in
/// the program; who runs in which is then decided by rank (choose()). See also ProfiledTraining.
class Shockwave final : public Planner {
 public:
  struct Settings {
    Duration round = std::chrono::seconds{120};
    int window = 20;
    int renew = 8;
    double late = 1.0;
    double power = 12.0;
    double makespan = 1e-3;
  };
  explicit Shockwave(const Settings& settings) : settings_(settings) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .failures = true};
  }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  void left(JobId job) override { gone_.push_back(job); }

 private:
  /// When the job would end with an equal share of the cluster, as believed in the course of time.
  class EqualShareEnd {
   public:
    void believe(double end, double now);
    /// Mostly the mean over the time for which each belief has held.
    [[nodiscard]] double at(double now) const;

   private:
    double first_ = 0.0, since_ = 0.0;  ///< of the first and of the present belief [s]
    double present_ = 0.0;
    double sum_ = 0.0;  ///< of those before × their time
  };
  struct Course {
    ProfiledTraining training;
    TrainingBelief belief;
    EqualShareEnd fair;
    std::optional<Instant> lease_ends;
    double ratio = 0.0;    ///< of the end that is to be expected to the fair one
    double value = 0.0;    ///< weight over rounds, by which jobs of the window are ranked
    int rounds_left = 0;   ///< of those that the window gives it
    double left_then = 0;  ///< as predicted when the window began [s]
  };
  void forget();
  void meet(const PlanQuery& query);
  void end_round(const PlanQuery& query);
  void look_ahead(const PlanQuery& query);
  [[nodiscard]] std::vector<WindowJob> in_time(const PlanQuery& query, double share) const;
  [[nodiscard]] double weight(const Course& course) const;
  [[nodiscard]] std::vector<const PlanJob*> choose(const PlanQuery& query);
  void lease(const PlanQuery& query);
  [[nodiscard]] Plan leased(const PlanQuery& query) const;
  [[nodiscard]] double window_time() const {
    return settings_.window * to_seconds(settings_.round);
  }

  Settings settings_;
  std::map<JobId, Course> courses_;
  std::vector<JobId> gone_;  ///< have left since the last plan
  bool changed_ = false;     ///< jobs have come or left since the window began
  int round_ = 0;            ///< of the window
};

}  // namespace mimus::scheduler
