// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/engine.hpp"
#include "emulator/record/allocation_log.hpp"
#include "emulator/record/co_location_log.hpp"
#include "emulator/record/gpu_log.hpp"
#include "emulator/record/job_log.hpp"
#include "emulator/record/modelled_energy.hpp"
#include "emulator/record/node_log.hpp"
#include "emulator/record/training_state.hpp"
#include "results/recorder.hpp"
#include "scheduler/containers/id_pool.hpp"
#include "scheduler/scheduler.hpp"
#include "workloads/jobs/answer.hpp"

namespace mimus::emulator {

/// Writes everything that a cell's result file says about the run, as the testbed proceeds.
class RunLog {
 public:
  RunLog(results::Recorder& recorder, const scheduler::ClusterShape& shape,
         const EmulatedPower& power = {});

  /// From now on the table `allocation` is written; both as AllocationLog takes them.
  void keep_allocation(const scheduler::Cluster& cluster,
                       std::vector<scheduler::RequestCount> mix) {
    allocation_.emplace(cluster, std::move(mix), recorder_);
  }

  /// Of a GPU hour, by GPU type; none: not stated.
  void set_prices(std::vector<double> prices) { prices_ = std::move(prices); }
  /// From now on it counts which of these jobs have not ended.
  void await(const results::MeasuredWindow& jobs) { jobs_.await(jobs); }
  [[nodiscard]] std::int64_t awaited_jobs() const { return jobs_.awaited(); }
  void job_arrived(const workloads::Job& job, Instant at);
  void waited_for_round(JobId job, Instant since, Instant now) {
    jobs_.waited_for_round(job, since, now);
  }
  /// `killed`: because it was cancelled.
  void job_given_up(JobId job, const std::string& reason, bool killed, Instant at);
  void cancelled(JobId job, Instant at) {
    jobs_.cancelled(job);
    event("job_cancelled", at, job.value(), -1, "");
  }
  /// By a trial of a hyper-parameter search.
  void validated(const workloads::TrialValidation& found, Instant at);
  void attempt_granted(const Attempt& attempt, Instant at);
  void first_step(AttemptId attempt, Instant at);
  /// `state_of`: of a window; called only where steps are kept.
  using StateOf = std::function<TrainingState(const StepWindow&)>;
  void progressed(const AttemptProgress& progress, const StateOf& state_of);
  void retuned(AttemptId attempt, const scheduler::BatchPlan& batch, Instant at);
  void checkpoint_written(AttemptId attempt, Instant at) {
    event("checkpoint_written", at, running_.at(attempt).attempt.job.value(), attempt.value(), "");
  }
  /// It holds once the attempt is limited.
  void to_be_limited(AttemptId attempt, const scheduler::DeviceLimits& limits);
  void limited(AttemptId attempt, Instant at);
  /// Which it will keep once it is suspended.
  void to_be_suspended(AttemptId attempt, scheduler::SuspendedMemory keeps) {
    running_.at(attempt).keeps = keeps;
  }
  void suspended(AttemptId attempt, Instant at);
  void resumed(AttemptId attempt, Instant at);
  void attempt_ended(const scheduler::AttemptEnded& ended, Instant at);
  /// After every decision: latency, changes, and the causes of waits.
  void decided(const scheduler::Decision& decision, const scheduler::Scheduler& scheduler,
               Duration latency, Instant at);
  void job_finished(JobId job, Instant at) { jobs_.job_ended(job, at, "finished", ""); }
  void node_changed(NodeId node, bool up, Instant at);
  void gpu_lost(const scheduler::GpuDown& down, Instant at);

  /// Ends every span at `at` and writes what is kept until the end. Attempts still running are
  /// `cut_off`.
  void write(const scheduler::Scheduler& scheduler, Instant at);

  [[nodiscard]] const CoLocationLog& co_location() const { return co_location_; }
  [[nodiscard]] std::int64_t jobs_ended() const { return jobs_.ended(); }
  [[nodiscard]] std::size_t running() const { return running_.size(); }

 private:
  struct Running {
    Running(const Attempt& granted, Instant at)
        : attempt(granted),
          asked(granted.batch),
          limits(granted.limits),
          limited_at(at),
          begin(at) {}
    Attempt attempt;
    scheduler::BatchPlan asked;  ///< with which it may never train
    scheduler::DeviceLimits asked_limits{};
    scheduler::DeviceLimits limits;  ///< that hold
    Instant limited_at;              ///< since when
    Instant begin;
    scheduler::SuspendedMemory keeps{};  ///< in the last suspension
    Instant suspended_at = kNever;
    Duration suspended{};                    ///< in the suspensions that have ended
    std::optional<results::AttemptRow> row;  ///< if attempts are kept
  };
  void event(const char* kind, Instant at, std::int64_t job, std::int64_t attempt,
             const std::string& detail);
  void end_suspension(Running& running, Instant at);
  void end_limits(Running& running, Instant at);
  void leave_gpus(Running& running, scheduler::EndReason reason, Instant at);
  void close_attempt(Running& running, const std::string& reason, const std::string& detail,
                     Instant at);

  void plan_refused(const std::string& why, Instant at);
  void record_waits(const scheduler::Decision& decision, const scheduler::Scheduler& scheduler,
                    Instant at);
  [[nodiscard]] bool shares_gpus() const { return shape_.lanes_per_gpu > 1; }

  results::Recorder& recorder_;
  scheduler::ClusterShape shape_;
  bool keeps_events_;    ///< and spans of waiting
  bool keeps_attempts_;  ///< and placements
  JobLog jobs_;
  GpuLog gpus_;
  NodeLog nodes_;
  EmulatedPower power_;
  std::vector<double> prices_;
  CoLocationLog co_location_;
  std::optional<AllocationLog> allocation_;
  scheduler::IdPool<AttemptId, Running> running_;
  std::int64_t refused_plans_ = 0;
};

}  // namespace mimus::emulator
