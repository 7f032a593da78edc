// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <vector>

#include "scheduler/planner/finish_time_belief.hpp"
#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// GPUs are leased by auction. Whenever some are free or their lease has ended, the applications
/// with the largest finish-time fairness ρ bid 1 ÷ ρ for numbers of them; the partial allocation
/// mechanism gives each winner a part of what is proportionally fair, and keeps the rest of it as a
/// hidden payment. What is left goes one by one to the application with the largest ρ, to those
/// that could not bid first. An application gives its GPUs to its jobs: first to those that have
/// some, then in order of arrival, each its whole gang before the next one gets any. GPUs of a job
/// that has ended go to its other jobs for the rest of their lease. Gangs are elastic: from one GPU
/// to as many as the user asked for, with the user's batch. Source: Themis (Mahajan et al., NSDI'20
/// §4 and §5). Deviations: an application knows of the jobs that it has submitted, not of those to
/// come; bids are for the tightest placement of a number of GPUs, and are not repeated if the
/// placement choice finds a worse one; a job's GPUs have one lease, which begins again when an
/// auction gives it more.
class Themis final : public Planner {
 public:
  enum class Resize { restart, in_place };  ///< of running jobs
  struct Settings {
    double fairness = 0.8;  ///< f: the share of applications, by ρ, that may not bid, [0, 1]
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
  struct Lease {
    Instant end{};
    int gpus = 0;
    ApplicationKey application;
  };
  using Leases = std::map<JobId, Lease>;

  /// A job of an application in an auction.
  struct Member {
    const PlanJob* job;
    int held;                    ///< GPUs whose lease goes on
    int won = 0;                 ///< others, with a new lease
    Instant lease_end = kNever;  ///< of those held
    [[nodiscard]] int total() const { return held + won; }
    [[nodiscard]] int unmet() const { return job->view->requested_gang - total(); }
  };
  /// An application in an auction.
  struct Claim {
    std::vector<Member> members;         ///< those with GPUs first
    std::vector<const JobView*> jobs{};  ///< the same
    double rho = 0.0;                    ///< on what it has had until now; infinite without GPUs
    double rho_whole = 0.0;              ///< on the gangs asked for
    int won = 0;                         ///< in the auction, and not given to a job yet
    [[nodiscard]] int total() const;
    [[nodiscard]] int unmet() const;
    [[nodiscard]] JobId id() const;  ///< of its first job
  };

  [[nodiscard]] std::vector<Claim> claims(const PlanQuery& query) const;
  void judge(Claim& claim, const PlanQuery& query) const;
  static void inherit(Claim& claim, JobId ended, const Lease& lease);
  void auction(std::span<Claim> bidders, int gpus, const PlanQuery& query) const;
  static void hand_over(Claim& claim, Handout& handout);
  [[nodiscard]] static bool give_one(Claim& claim, Handout& handout);
  void hand_out_rest(std::vector<Claim>& all, std::size_t bidders, Handout& handout,
                     const PlanQuery& query) const;
  void lease(const std::vector<Claim>& claims, Instant now);

  Settings settings_;
  FinishTimeBelief belief_;
  Leases leases_;
};

}  // namespace mimus::scheduler
