// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "emulator/data/data_paths.hpp"
#include "emulator/engine.hpp"
#include "emulator/record/run_log.hpp"
#include "emulator/testbed/arrivals.hpp"
#include "emulator/testbed/checkpoint_times.hpp"
#include "emulator/testbed/emulated_gradients.hpp"
#include "emulator/testbed/job_truth.hpp"
#include "emulator/testbed/job_views.hpp"
#include "emulator/testbed/stall_guard.hpp"
#include "emulator/testbed/untold_events.hpp"
#include "emulator/testbed/untold_progress.hpp"
#include "results/recorder.hpp"
#include "scheduler/containers/id_map.hpp"
#include "scheduler/scheduler.hpp"
#include "workloads/jobs/job_stream.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// Progress of a cell, for the progress line.
struct RunProgress {
  Instant now{};
  std::optional<std::int64_t> jobs;  ///< in total, if known before the end
  std::int64_t jobs_ended = 0;
  std::size_t jobs_running = 0;
  std::size_t jobs_queued = 0;
  int gpus = 0;
  int gpus_held = 0;
};

struct TestbedSettings {
  /// Decisions are made at multiples of this; zero: at every event. GPUs that a decision frees by
  /// stopping attempts are assigned as soon as they are free. The scheduler then also learns of all
  /// attempts that ended in the meantime, and of nodes that went down or came up.
  Duration round{};
  bool run_time_jobs = false;  ///< work is seconds of recorded run time
  std::uint64_t seed = 0;      ///< for noise in reported losses and for failures
  LearningTruth learning{};
  GradientNoise gradients{};
  /// A closed loop: this many jobs are in the system, and the next one arrives when one leaves.
  /// Stated arrivals only give the order.
  std::optional<int> jobs_at_once{};
  Instant until = kNever;                               ///< the cell ends then
  bool until_last_arrival = false;                      ///< or when the last job has arrived
  std::optional<results::MeasuredWindow> until_jobs{};  ///< or when these jobs have ended
  /// Power draw of emulated devices by GPU type; empty: energy is not modelled.
  std::vector<std::optional<kernels::PowerDraw>> draws{};
  std::vector<double> prices{};  ///< of a GPU hour, by GPU type; empty: not stated
  /// Where it is recorded what can be allocated as jobs ask for more: what they ask for.
  std::optional<std::vector<scheduler::RequestCount>> mix{};
  std::optional<Duration> checkpoint_every{};  ///< nothing: only as they are stopped
  /// If set, jobs read data sets through links; otherwise reading takes no time.
  std::optional<DataPathSettings> data{};
};

/// The only loop: take the events, tell the scheduler, carry out its actions, record. The same code
/// drives both engines.
class Testbed {
 public:
  using Watcher = std::function<void(const RunProgress&)>;

  /// All arguments must outlive the testbed. Nothing must have been read from `jobs` yet.
  Testbed(workloads::JobStream& jobs, JobTruths& truths, scheduler::Scheduler& scheduler,
          Engine& engine, results::Recorder& recorder, TestbedSettings settings = {});

  /// Runs until every job has ended, or the cell ends. `watcher` receives every event. If an
  /// exception ends the run early, everything up to that moment is recorded first.
  void run(const Watcher& watcher);
  [[nodiscard]] const RunLog& log() const { return log_; }

 private:
  [[nodiscard]] Instant next_deadline(Instant last) const;
  [[nodiscard]] Instant next_of_jobs() const;
  void loop(const Watcher& watcher);
  void take_last_steps();
  void write_log();
  void arrivals(Instant until);
  void take(TimedEvent& happened);
  void handle(scheduler::AttemptStarted& started, Instant at);
  void handle(scheduler::AttemptSuspended& suspended, Instant at);
  void handle(scheduler::AttemptResumed& resumed, Instant at);
  void handle(scheduler::AttemptLimited& limited, Instant at);
  void handle(scheduler::AttemptEnded& ended, Instant at);
  void watch_for_stall(const scheduler::AttemptEnded& ended, const JobTruth& truth);
  void watch_for_idleness();
  void handle(scheduler::NodeDown& down, Instant at);
  void handle(scheduler::NodeUp& up, Instant at);
  void handle(scheduler::GpuDown& down, Instant at);
  void end_round(Instant now);
  void tell(Instant now);
  void carry_out(scheduler::StartAttempt& start, Instant now);
  void carry_out(const scheduler::StopAttempt& stop, Instant now);
  void carry_out(const scheduler::RetuneBatch& retune, Instant now);
  void carry_out(scheduler::ResizeAttempt& resize, Instant now);
  void carry_out(const scheduler::LimitAttempt& limit, Instant now);
  void carry_out(const scheduler::SuspendAttempt& suspend, Instant now);
  void carry_out(const scheduler::ResumeAttempt& resume, Instant now);
  void carry_out(const scheduler::GiveUpJob& give_up, Instant now);
  [[nodiscard]] double speed_of(const Attempt& attempt) const;

  // testbed_reports.cpp
  void handle(AttemptProgress& progress, Instant at);
  void report(const AttemptProgress& progress, Instant at);
  [[nodiscard]] std::vector<scheduler::JobSample> samples_of(const AttemptProgress& progress,
                                                             const JobTruth& truth) const;

  // testbed_checkpoints.cpp
  void handle(AttemptSaved& saved, Instant at);
  void save_due(Instant now);

  // testbed_data.cpp
  [[nodiscard]] scheduler::DataNeed data_need(const JobTruth& truth) const;
  void read_on(Instant now);
  void write_data(Instant now);

  void begin(const Attempt& attempt, Instant now);
  void go_on_as_next(const scheduler::AttemptEnded& ended, Instant at);
  void tell_workload(const workloads::JobNews& news);
  [[nodiscard]] bool all_ended() const;
  [[nodiscard]] bool is_over(Instant now) const;
  [[nodiscard]] RunProgress progress(Instant now) const;

  workloads::JobStream& jobs_;
  JobTruths& truths_;
  scheduler::Scheduler& scheduler_;
  Engine& engine_;
  results::Recorder& recorder_;
  TestbedSettings settings_;
  bool wants_samples_;  ///< the scheduler learns from what jobs measure
  RunLog log_;
  UntoldEvents untold_;
  UntoldProgress untold_progress_;
  Arrivals arrivals_;
  scheduler::IdMap<AttemptId, JobId> running_;
  scheduler::IdMap<AttemptId, Attempt> resizes_;  ///< in progress, by the attempts that they end
  StallGuard stall_guard_;
  JobViews views_;
  std::optional<DataPaths> data_;
  std::optional<CheckpointTimes> checkpoints_;
  Instant wake_up_ = kNever;
  std::vector<TimedEvent> happened_;
  scheduler::Decision decision_;  ///< kept for its buffer
  std::vector<JobId> gone_;       ///< ended, but still known to the scheduler
};

}  // namespace mimus::emulator
