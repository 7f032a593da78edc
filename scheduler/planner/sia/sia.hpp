// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scheduler/planner/planner.hpp"
#include "scheduler/planner/sia/job_options.hpp"

namespace mimus::scheduler {

/// Every round an integer program gives each job one configuration, so many GPUs of one type, or
/// none: those with the best sum of goodput^p, each goodput over that of the job's worst
/// configuration (Sia, Jayaram Subramanya et al., SOSP'23, §3.4, with the constants of its
/// artifact). Jobs that would restart count less, and those that start up keep what they have.
/// Rigid jobs have their gang on one type, and models that are split over GPUs whole replicas
/// (§3.4, jobs that are parallel in several ways). Places are those of place_on_whole_nodes().
///
/// Deviations: a type on which a job has not run counts as its worst configuration, as in the
/// artifact by default; the paper profiles each type first and carries models over. What restarts
/// have cost is told by the age of a job, as in Pollux, not by its GPU time. Quotas are not part of
/// the program: jobs to which admission refuses their GPUs wait.
class Sia final : public Planner {
 public:
  struct Settings {
    Duration round = std::chrono::seconds{60};
    double power = -0.5;
    Duration restart = std::chrono::seconds{30};
    std::map<std::string, Duration> restart_of{};  ///< by model, in place of `restart`
    int most_gpus = 64;  ///< maximum number of GPUs of a job that is not rigid
  };
  explicit Sia(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override { return {.every = settings_.round}; }
  [[nodiscard]] bool keeps_gangs() const override { return false; }
  [[nodiscard]] bool counts_replicas() const override { return true; }
  [[nodiscard]] bool spares_rigid() const override { return true; }
  [[nodiscard]] bool names_gpus() const override { return true; }
  [[nodiscard]] bool knows_types() const override { return true; }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  [[nodiscard]] bool needs_estimate() const override { return true; }

 private:
  /// The configuration that a job gets.
  struct Chosen {
    const PlanJob* job;
    JobOption option;
    bool starts_up = false;
  };
  [[nodiscard]] std::vector<Chosen> choose(const PlanQuery& query) const;
  [[nodiscard]] double restart_factor_of(const JobView& job, Instant now) const;

  Settings settings_;
};

}  // namespace mimus::scheduler
