// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/cell_config.hpp"
#include "emulator/engine.hpp"
#include "emulator/replay/replay_job.hpp"

namespace mimus::emulator {

/// Replays the discrete-time simulator of the Pollux artifact (OSDI'21, simulator.py) from the
/// measured tables, second for second. Jobs advance in rounds of fixed length, and the decision of
/// a policy at the end of a round holds for the next one. A job's truth is its measured training,
/// not its `work_samples`; planned failures are refused.
///
/// A job that is stopped and started at one instant on the same nodes in the same rank order is
/// unaffected: it neither pauses nor loses its current pause. Any other change of its nodes makes
/// it pause; a new pause replaces one that still runs.
class PolluxReplayEngine final : public Engine {
 public:
  struct Settings {
    std::int64_t round = 60;    ///< s
    std::int64_t rescale = 30;  ///< s without progress after every change of a job's nodes
    /// Share of its speed that a distributed job loses on a node with another distributed job.
    double interference = 0.0;
    /// Jobs keep the total batch with which they are started, split as in the artifact. Otherwise
    /// the given split is used.
    bool artifact_split = true;
    /// That total is the one that users request, which the policy's batch may not reach exactly.
    /// False if the policy chooses batches.
    bool users_batch = true;
    /// Jobs report at the end of each epoch, and may then change their batch within a round.
    bool reports_epochs = false;
  };

  /// The arguments must outlive the engine.
  PolluxReplayEngine(const ClusterConfig& cluster, const workloads::PolluxProfiles& profiles,
                     Settings settings);

  [[nodiscard]] std::string name() const override { return "pollux replay"; }
  [[nodiscard]] Instant now() const override { return now_; }
  /// UsageError between two rounds, for a model that was not measured and for a planned failure.
  void start(const Attempt& attempt) override;
  void stop(AttemptId attempt) override;
  void retune(AttemptId attempt, const scheduler::BatchPlan& batch) override;
  /// UsageError: the artifact's simulator restarts jobs to resize them.
  void resize(AttemptId from, const Attempt& to) override;
  void limit(AttemptId attempt, const scheduler::DeviceLimits& limits) override;
  void suspend(AttemptId attempt, scheduler::SuspendedMemory keeps) override;
  void resume(AttemptId attempt) override;
  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override;

  /// Samples at M0 that the job has trained, for oracles; 0 before its first start.
  [[nodiscard]] double samples_done(JobId job) const;
  /// Measured epochs that the job has completed.
  [[nodiscard]] int epoch(JobId job) const;

 private:
  struct Running {
    Attempt attempt;
    ReplayJob* job = nullptr;
    Instant first_step = kNever;               ///< that has been reported
    std::int64_t trained = 0;                  ///< up to this second
    std::vector<ReplayedStretch> stretches{};  ///< that have not been reported
    Instant due = kNever;                      ///< when they are, once it is known
    double interference = 0.0;                 ///< in this round
  };
  [[nodiscard]] ReplayJob& job_of(const Attempt& attempt);
  [[nodiscard]] std::vector<NodeId> nodes_of(const Attempt& attempt) const;
  void check_round(std::string_view what) const;
  void train(Running& running, Instant round_end) const;
  [[nodiscard]] Instant next_report(const Running& running) const;
  void report(Running& running, Instant until);
  void report_end(const Running& running, Instant end, AttemptProgress progress);
  void report_start(Running& running, Instant at);
  [[nodiscard]] std::vector<int> distributed_per_node() const;
  [[nodiscard]] double interference_on(const Running& running,
                                       const std::vector<int>& tenants) const;
  void begin_round();

  const ClusterConfig& cluster_;
  const workloads::PolluxProfiles& profiles_;
  Settings settings_;
  Duration round_{};
  Instant now_{};
  std::map<JobId, std::unique_ptr<ReplayJob>> jobs_;
  std::map<AttemptId, Running> running_;
  std::map<JobId, std::vector<NodeId>> stopped_;  ///< at the present instant, with their nodes
  std::vector<TimedEvent> pending_;
};

}  // namespace mimus::emulator
