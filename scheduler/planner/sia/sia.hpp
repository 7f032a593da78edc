// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scheduler/planner/planner.hpp"
#include "scheduler/planner/sia/job_options.hpp"

namespace mimus::scheduler {

/// In every round an integer program gives each job one configuration, a number of GPUs of one
/// type, or none, so that the sum of goodput^p is best. Each goodput is relative to that of the
/// job's worst configuration (Sia, Jayaram Subramanya et al., SOSP'23, §3.4, with the constants of
/// its artifact). Jobs that would restart count less, and jobs that are starting up keep what they
/// have. Rigid jobs have their gang on one type. Places are those of place_on_whole_nodes().
///
/// Deviations: a type on which a job has not run counts as its worst configuration, as in the
/// artifact by default; the paper profiles each type first and transfers models. The cost of
/// earlier restarts follows from the age of a job, as in Pollux, not from its GPU time. Models that
/// are split over GPUs are left out. Quotas are not part of the program: jobs to which admission
/// refuses their GPUs wait.
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
