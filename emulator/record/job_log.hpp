// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/engine.hpp"
#include "results/recorder.hpp"
#include "results/totals/fairness.hpp"
#include "scheduler/containers/id_pool.hpp"
#include "scheduler/jobs/event.hpp"
#include "scheduler/jobs/job_view.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::emulator {

/// Keeps one JobRow per job in the system and its waits by cause. A row is written when its job
/// ends. Spans are half-open.
class JobLog {
 public:
  explicit JobLog(results::Recorder& recorder) : recorder_(recorder) {}

  void arrived(const workloads::Job& job, Instant at);
  /// The job waits for `cause` from `at` on; `none` ends its wait. Not called if waited() reports
  /// whole waits.
  void waits(JobId job, scheduler::WaitCause cause, Instant at);
  /// The job has waited from `since` until `now` because the scheduler gets events only when a
  /// round ends.
  void waited_for_round(JobId job, Instant since, Instant now);
  /// All its waits so far, by cause, except those for rounds.
  void waited(JobId job, const scheduler::WaitTimes& waits);
  void attempt_started(JobId job, Instant at, const std::string& gpu_type);
  /// The attempt trains from `at` on, on this many GPUs. A job that was stopped at this very
  /// instant and continues with the same number of GPUs counts as neither preempted nor started,
  /// because it lost nothing.
  void first_step(JobId job, Instant at, scheduler::MilliGpus held);
  void attempt_progressed(JobId job, const StepWindow& window);
  /// An attempt from its grant to its end, and the part for which it was suspended.
  struct Span {
    Instant begin{};
    Instant end{};
    Duration suspended{};
  };
  void attempt_ended(JobId job, const Span& span, const scheduler::Allocation& had,
                     scheduler::EndReason reason);
  /// It is about to be stopped by its user: that is no preemption.
  void cancelled(JobId job) { jobs_.at(job).cancelled = true; }
  /// Outcome `finished`, `failed`, `rejected` or `killed`.
  void job_ended(JobId job, Instant at, const std::string& outcome, const std::string& detail);
  /// Writes the jobs that have not ended as `unfinished`; their waits end at `at`.
  void write(Instant at);

  [[nodiscard]] bool has_started(JobId job) const { return jobs_.at(job).row.attempts > 0; }
  [[nodiscard]] std::int64_t ended() const { return ended_; }

 private:
  struct Entry {
    results::JobRow row;
    double before = 0;  ///< job seconds in the system until it arrived
    scheduler::WaitCause waits_for = scheduler::WaitCause::none;
    Instant since{};
    Instant preempted_at = kNever;  ///< when its last attempt was stopped
    scheduler::MilliGpus preempted_with{};
    bool cancelled = false;
  };
  void end_wait(Entry& entry, Instant at);

  results::Recorder& recorder_;
  results::ActiveJobs active_;
  scheduler::IdPool<JobId, Entry> jobs_;
  std::int64_t ended_ = 0;
};

}  // namespace mimus::emulator
