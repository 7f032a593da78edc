// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scheduler/plan/plan_places.hpp"

namespace mimus::scheduler {

/// Asks the planner and turns the difference between its plan and the running jobs into actions.
/// Jobs that have what the plan gives them continue; the others are stopped, resized or started. A
/// start waits for the jobs that hold its own GPUs, not for all stops of a plan. A plan that cannot
/// be carried out is refused as a whole: Decision::refused_plan has the reason, and running jobs
/// continue.
class Reconciler final : public Decider {
 public:
  explicit Reconciler(Books& books);

  bool hear(Happening what, JobRecord* job, Instant now) override;
  void value_nodes(Instant now) override;
  void decide(Instant now, Decision& decision) override;
  [[nodiscard]] Instant wake_up() const override { return next_at_; }

 private:
  [[nodiscard]] bool is_due(Instant now);
  void plan(Instant now, Decision& decision);
  void adopt(const Plan& plan, const std::vector<JobRecord*>& jobs, Instant now);

  Books& books_;
  Wakes wakes_;
  Instant next_at_ = kNever;  ///< kNever while there are no jobs
  bool planned_ = false;      ///< since jobs arrived in an empty system
  bool woken_ = false;        ///< by an event
  Pursuits pursuits_;
};

}  // namespace mimus::scheduler
