// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "emulator/engine.hpp"
#include "results/recorder.hpp"
#include "results/totals/fairness.hpp"
#include "results/totals/measured_window.hpp"
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

  /// Counts those of these jobs that have arrived and not ended.
  void await(const results::MeasuredWindow& jobs) { awaits_ = jobs; }
  [[nodiscard]] std::int64_t awaited() const { return awaited_; }
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
  /// An attempt has ended of which a checkpoint holds this progress of the job [samples at M₀].
  /// Called before attempt_ended().
  void kept(JobId job, double samples_done, scheduler::EndReason reason);
  /// It is about to be stopped by its user: that is no preemption.
  void cancelled(JobId job) { jobs_.at(job).cancelled = true; }
  /// Outcome `finished`, `failed`, `rejected` or `killed`.
  void job_ended(JobId job, Instant at, const std::string& outcome, const std::string& detail);
  /// Writes the jobs that have not ended as `unfinished`; their waits end at `at`.
  void write(Instant at);

  [[nodiscard]] bool has_started(JobId job) const { return jobs_.at(job).row.attempts > 0; }
  [[nodiscard]] std::int64_t ended() const { return ended_; }

 private:
  /// Progress since an attempt began that did not continue another's.
  struct Gained {
    double samples = 0;  ///< at M₀
    double seconds = 0;  ///< that it takes alone, at the modelled speed
  };
  struct Entry {
    results::JobRow row;
    double samples_done = 0;   ///< at M₀, after the last steps
    double samples_kept = 0;   ///< at M₀, by the last checkpoint
    int attempts_in_vain = 0;  ///< in a row: they failed without another checkpoint
    Gained gained;
    double before = 0;  ///< job seconds in the system until it arrived
    scheduler::WaitCause waits_for = scheduler::WaitCause::none;
    Instant since{};
    Instant preempted_at = kNever;  ///< when its last attempt was stopped
    scheduler::MilliGpus preempted_with{};
    bool cancelled = false;
  };
  void end_wait(Entry& entry, Instant at);
  [[nodiscard]] bool awaits(const results::JobRow& row) const {
    return awaits_ && awaits_->measures(row.job, row.arrival);
  }
  void watch_for_vain_attempts(Entry& entry, double samples_kept, scheduler::EndReason reason);

  results::Recorder& recorder_;
  results::ActiveJobs active_;
  scheduler::IdPool<JobId, Entry> jobs_;
  std::int64_t ended_ = 0;
  std::optional<results::MeasuredWindow> awaits_;
  std::int64_t awaited_ = 0;
  bool has_warned_ = false;
};

}  // namespace mimus::emulator
