// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/cell_config.hpp"
#include "emulator/job_lookup.hpp"
#include "scheduler/estimate/oracle.hpp"
#include "workloads/pollux/profile.hpp"

namespace mimus::emulator {

/// The truth of Pollux's measured applications, as given to the artifact's Optimus (optimus.py):
/// steps from the measured trainings, step times at packed placements. There are no answers for a
/// job of a model that was not measured.
class PolluxOracle final : public scheduler::Oracle {
 public:
  /// `cluster` and `profiles` must outlive the oracle.
  PolluxOracle(const ClusterConfig& cluster, const workloads::PolluxProfiles& profiles,
               JobLookup jobs)
      : cluster_(cluster), profiles_(profiles), jobs_(std::move(jobs)) {}

  [[nodiscard]] std::optional<Duration> run_time(JobId job) const override;
  /// From the end of the epoch before the present one; 1 in the last epoch.
  [[nodiscard]] std::optional<double> steps_left(JobId job) const override;
  [[nodiscard]] std::optional<Duration> step_time(JobId job, int gpus) const override;
  [[nodiscard]] int most_gpus(JobId job) const override;

 private:
  [[nodiscard]] const workloads::PolluxProfile* profile_of(JobId job) const;
  [[nodiscard]] std::optional<double> step_seconds(const workloads::PolluxProfile& profile,
                                                   std::int64_t total_batch, int gpus) const;

  const ClusterConfig& cluster_;
  const workloads::PolluxProfiles& profiles_;
  JobLookup jobs_;
};

}  // namespace mimus::emulator
