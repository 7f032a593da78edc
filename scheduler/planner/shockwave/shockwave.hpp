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

/// Jobs hold their GPUs for rounds. A program divides the rounds of a window among them by the
/// progress of their training, whose batches may change, and by how late they are compared with an
/// equal share of the cluster (Shockwave, Zheng et al., NSDI'23). Source: scheduler/shockwave.py of
/// its artifact. Deviations: the program counts rounds and does not place them; ranks then decide
/// which job runs in which round (choose()). See also ProfiledTraining.
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
  /// Estimated end of the job with an equal share of the cluster, over the course of time.
  class EqualShareEnd {
   public:
    void believe(double end, double now);
    /// Mostly the mean, weighted by the time for which each estimate was valid.
    [[nodiscard]] double at(double now) const;

   private:
    double first_ = 0.0, since_ = 0.0;  ///< when the first and the present estimate began [s]
    double present_ = 0.0;
    double sum_ = 0.0;  ///< Σ of earlier estimates × their time
  };
  struct Course {
    ProfiledTraining training;
    TrainingBelief belief;
    EqualShareEnd fair;
    std::optional<Instant> lease_ends;
    double ratio = 0.0;    ///< of the expected end to the fair one
    double value = 0.0;    ///< weight per round, by which jobs of the window are ranked
    int rounds_left = 0;   ///< rounds left of those that the window gives it
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
  std::vector<JobId> gone_;  ///< jobs that have left since the last plan
  bool changed_ = false;     ///< jobs have arrived or left since the window began
  int round_ = 0;            ///< of the window
};

}  // namespace mimus::scheduler
