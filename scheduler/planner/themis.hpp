// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "scheduler/planner/finish_time_belief.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// GPUs are leased by auction. Whenever some are free or their lease has ended, the jobs with the
/// largest finish-time fairness ρ bid 1 ÷ ρ for numbers of them. The partial allocation mechanism
/// gives each winner a part of its proportionally fair share, and keeps the rest as a hidden
/// payment. What is left goes one by one to the job with the largest ρ, first to jobs that could
/// not bid. Gangs are elastic, from one GPU to as many as the user requested, with the user's
/// batch. Source: Themis (Mahajan et al., NSDI'20 §4 and §5). Deviations: an application is one
/// job; bids are for the tightest placement of a number of GPUs, and are not repeated if the
/// placement choice finds a worse one; a job's GPUs have one lease, which begins again when an
/// auction gives it more.
class Themis final : public Planner {
 public:
  enum class Resize { restart, in_place };  ///< of running jobs
  struct Settings {
    double fairness = 0.8;  ///< f: the share of jobs, by ρ, that may not bid, [0, 1]
    Duration lease = std::chrono::minutes(20);
    Resize resize = Resize::restart;
  };
  explicit Themis(Settings settings) : settings_(settings) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .failures = true};
  }
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool counts_only() const override { return true; }
  [[nodiscard]] bool resizes_in_place() const override {
    return settings_.resize == Resize::in_place;
  }
  [[nodiscard]] bool asks_estimate() const override { return true; }

 private:
  /// A job in an auction.
  struct Claim {
    const PlanJob* job;
    int held;          ///< GPUs whose lease continues
    double rho;        ///< on its present GPUs; infinite without any
    double rho_whole;  ///< on the requested gang
    int won = 0;
    [[nodiscard]] int total() const { return held + won; }
    [[nodiscard]] int unmet() const { return job->view->requested_gang - total(); }
  };

  [[nodiscard]] std::vector<Claim> claims(const PlanQuery& query) const;
  void auction(std::span<Claim> bidders, int gpus, const PlanQuery& query) const;
  void lease(const std::vector<Claim>& claims, Instant now);

  Settings settings_;
  FinishTimeBelief belief_;
  std::unordered_map<JobId, Instant> lease_ends_;
};

}  // namespace mimus::scheduler
