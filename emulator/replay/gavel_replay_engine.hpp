// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"
#include "emulator/replay/leased_training.hpp"
#include "emulator/testbed/job_truth.hpp"

namespace mimus::emulator {

/// Repeats the simulator of Gavel's artifact (OSDI'20, scheduler.py), whose jobs run in leases. In
/// each lease a job makes as many whole iterations as fit into a round and then waits for the
/// slowest job; starts and stops cost nothing. Rates are those that jobs state, alone or beside the
/// job on the same GPUs. Shockwave's
/// (NSDI'23) differs in jobs that change their batches, and in starts: a job that did not run in
/// the previous round loses some of its lease, unless that is shorter than a round anyway. Planned
/// failures are refused.
class GavelReplayEngine final : public Engine {
 public:
  struct Rounds {
    std::string simulator = "gavel";
    Duration length{};
    Duration start{};  ///< time that a start takes of a lease; none in the first round
  };
  /// The arguments must outlive the engine.
  GavelReplayEngine(const ClusterConfig& cluster, const JobTruths& truths, Rounds rounds)
      : cluster_(cluster), truths_(truths), rounds_(std::move(rounds)) {}

  [[nodiscard]] std::string name() const override { return rounds_.simulator + " replay"; }
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
    std::vector<scheduler::Slot> slots;
    double leased = 0.0;  ///< iterations of the present lease
    double trains = 0.0;  ///< time in which it makes them [s]
    Instant ends{};       ///< the lease: these are made
    bool is_leased = false;
  };
  struct Course {
    LeasedTraining training;
    std::int64_t last_round = -1;  ///< in which it had a lease
  };
  [[nodiscard]] bool leases_last() const;
  void begin_leases();
  void begin_lease(Running& running, double stated);
  [[nodiscard]] double stated_now(const Running& running) const;
  void end_lease(Running& running);

  const ClusterConfig& cluster_;
  const JobTruths& truths_;
  Rounds rounds_;
  Instant now_{};
  std::int64_t round_ = -1;  ///< the present or last one, from 0 on
  std::map<AttemptId, Running> running_;
  std::map<JobId, Course> courses_;
  std::vector<TimedEvent> pending_;
};

}  // namespace mimus::emulator
