// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"
#include "emulator/testbed/job_truth.hpp"

namespace mimus::emulator {

/// Repeats the simulator of Gavel's artifact (OSDI'20, scheduler.py), whose jobs run in leases: in
/// each one a job makes as many whole iterations as fit into a round and then waits until the
/// slowest one has made its own; starts and stops cost nothing. Rates are those that jobs state.
/// Planned failures are refused.
class GavelReplayEngine final : public Engine {
 public:
  /// The arguments must outlive the engine.
  GavelReplayEngine(const ClusterConfig& cluster, const JobTruths& truths, Duration round)
      : cluster_(cluster), truths_(truths), round_(round) {}

  [[nodiscard]] std::string name() const override { return "gavel replay"; }
  [[nodiscard]] Instant now() const override { return now_; }
  /// UsageError while leases last, for a job without rates and for a planned failure.
  void start(const Attempt& attempt) override;
  void stop(AttemptId attempt) override;
  void retune(AttemptId, const scheduler::BatchPlan&) override {}
  void resize(AttemptId from, const Attempt& to) override;
  void limit(AttemptId attempt, const scheduler::DeviceLimits& limits) override;
  void suspend(AttemptId attempt, scheduler::SuspendedMemory keeps) override;
  void resume(AttemptId attempt) override;
  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override;

  /// Recorded run time that the job has completed, for oracles [s].
  [[nodiscard]] double run_time_done(JobId job) const;

 private:
  struct Running {
    AttemptId id;
    JobId job;
    double rate = 0.0;    ///< iterations/s here
    double total = 0.0;   ///< iterations
    double leased = 0.0;  ///< iterations of the present lease
    Instant ends{};       ///< the lease: these are made
    bool is_leased = false;
  };
  [[nodiscard]] bool leases_last() const;
  void begin_leases();
  void end_lease(Running& running);

  const ClusterConfig& cluster_;
  const JobTruths& truths_;
  Duration round_;
  Instant now_{};
  std::map<AttemptId, Running> running_;
  std::map<JobId, double> done_;  ///< iterations
  std::vector<TimedEvent> pending_;
};

}  // namespace mimus::emulator
