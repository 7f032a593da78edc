// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator/engine.hpp"
#include "results/recorder.hpp"
#include "scheduler/event.hpp"
#include "scheduler/job_view.hpp"
#include "workloads/job.hpp"

namespace mimus::emulator {

/// Keeps one JobRow per job and its waits by cause, and writes both. Spans are half-open.
class JobLog {
 public:
  JobLog(results::Recorder& recorder, const workloads::Workload& workload);

  void arrived(JobId job, Instant at);
  /// The job waits for `cause` from `at` on; `none` ends its wait.
  void waits(JobId job, scheduler::WaitCause cause, Instant at);
  void attempt_started(JobId job, Instant at);
  void attempt_progressed(JobId job, const StepWindow& window);
  void attempt_ended(JobId job, Instant begin, Instant end, std::size_t replicas,
                     scheduler::EndReason reason);
  /// Outcome `finished`, `failed` or `rejected`.
  void job_ended(JobId job, Instant at, const std::string& outcome, const std::string& detail);
  /// Writes all rows; jobs that have not ended are `unfinished`, their waits end at `at`.
  void write(Instant at);

  [[nodiscard]] bool has_started(JobId job) const { return rows_[job.index()].attempts > 0; }
  [[nodiscard]] int ended() const { return ended_; }

 private:
  struct Wait {
    scheduler::WaitCause cause = scheduler::WaitCause::none;
    Instant since{};
  };
  void end_wait(JobId job, Instant at);
  results::JobRow& row(JobId job) { return rows_[job.index()]; }

  results::Recorder& recorder_;
  std::vector<results::JobRow> rows_;
  std::vector<Wait> waits_;
  std::vector<bool> arrived_;
  int ended_ = 0;
};

}  // namespace mimus::emulator
