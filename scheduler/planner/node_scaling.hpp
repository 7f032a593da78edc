// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "scheduler/batch/best_batch.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Whole nodes for each job, and more of them once they are worth their price. A job begins on one
/// node. In every round in which its value G(n) on its n nodes is more than `keep` × n × G(1), it
/// gets the largest number n' of nodes with an estimated G(n') ≥ `least` × n' × G(1). It never
/// gives nodes back. Earlier jobs are served first. Source: the auto-scaling experiment of Pollux
/// (Qiao et al., OSDI'21 §5.4.1), where G is the goodput with the best batch. With `by: throughput`
/// it is examples per second, as in that paper's account of Or et al., MLSys'20, and the job has
/// the batch with the most of them. Deviations: several jobs are served at a time; a job whose
/// quota is smaller than a node is served with its requested gang; rounds replace the epochs of the
/// experiment.
class NodeScaling final : public Planner {
 public:
  enum class By { goodput, throughput };
  enum class Resize { restart, in_place };  ///< of running jobs
  struct Settings {
    Duration round = std::chrono::seconds(60);
    By by = By::goodput;
    double keep = 2.0 / 3.0;  ///< U
    double least = 0.5;       ///< L
    int most_nodes = 16;      ///< of a job
    Resize resize = Resize::restart;
  };
  explicit NodeScaling(Settings settings) : settings_(settings) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.every = settings_.round, .arrivals = true, .ends = true, .failures = true};
  }
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool counts_only() const override { return true; }
  [[nodiscard]] bool resizes_in_place() const override {
    return settings_.resize == Resize::in_place;
  }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  [[nodiscard]] bool needs_estimate() const override { return true; }

  /// Number of nodes for a job that has `held`. `value` is the value of a number of nodes, or 0
  /// without an estimate.
  [[nodiscard]] int nodes(int held, int most, const std::function<double(int)>& value) const;

 private:
  [[nodiscard]] std::optional<ValuedBatch> best(const PlanQuery& query, const JobView& job,
                                                int nodes) const;

  Settings settings_;
};

}  // namespace mimus::scheduler
