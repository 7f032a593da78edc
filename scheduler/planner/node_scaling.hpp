// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "scheduler/batch/best_batch.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Whole nodes for each job, more of them once more are worth their price. A job begins on one
/// node. In every round, while the G(n) that it reaches on its n nodes is more than `keep` × n ×
/// G(1), it gets the largest number n' of nodes on which G(n') ≥ `least` × n' × G(1) is believed;
/// it never gives nodes back. Earlier jobs are served first.
/// Source: the auto-scaling experiment of Pollux (Qiao et al., OSDI'21 §5.4.1), where G is the
/// goodput with the best batch. `by: throughput` takes examples per second instead, as Or et al.,
/// MLSys'20 are read there, and gives the job the batch with the most of them.
/// Deviations: more than one job at a time is served, one whose quota is smaller than a node with
/// the gang that it asked for; rounds replace the epochs of the experiment.
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

  /// Nodes for a job that has `held`, where `value` says what so many of them are worth, or 0 where
  /// nothing is believed.
  [[nodiscard]] int nodes(int held, int most, const std::function<double(int)>& value) const;

 private:
  [[nodiscard]] std::optional<ValuedBatch> best(const PlanQuery& query, const JobView& job,
                                                int nodes) const;

  Settings settings_;
};

}  // namespace mimus::scheduler
