// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/registry.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/power/node_value.hpp"

namespace mimus::scheduler {

struct PowerDecision {
  std::vector<NodeId> asleep{};   ///< ascending; nothing new is placed on these
  std::vector<NodeId> booting{};  ///< likewise; others than the above
  std::vector<NodeId> leaving{};  ///< likewise; they are on, with jobs that planners move away
};

/// Waiting jobs with equal requests that no quota keeps waiting.
struct WaitingGangs {
  double gpus = 1;  ///< of one job: replicas times the share of a GPU of each
  std::int64_t jobs = 0;
  Instant since{};  ///< when the first of them, by rank, entered the queue
};

struct PowerQuery {
  const Cluster& cluster;
  std::span<const WaitingGangs> waiting;  ///< empty unless the choice asks for it
  Instant now;
};

/// Decides which nodes sleep.
class Power {
 public:
  virtual ~Power() = default;
  /// True if nodes may sleep, so that it needs to know what waits.
  [[nodiscard]] virtual bool acts() const { return true; }
  /// True if it needs a planner that says what nodes are worth.
  [[nodiscard]] virtual bool weighs() const { return false; }
  /// Called before the planner makes a plan for jobs that are there, and before decide(). `value`
  /// is valid during the call.
  virtual void weigh(const Cluster& /*cluster*/, NodeValue& /*value*/) {}
  /// Asked before every pass over the queue.
  [[nodiscard]] virtual PowerDecision decide(const PowerQuery& query) = 0;
  /// Called after the pass, with what has started and what still waits. Returns the latest instant
  /// of the next question, after the present.
  [[nodiscard]] virtual Instant observe(const PowerQuery& /*query*/) { return kNever; }
};

[[nodiscard]] const Registry<Power>& power_choices();

}  // namespace mimus::scheduler
