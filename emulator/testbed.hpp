// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "emulator/engine.hpp"
#include "emulator/record/run_log.hpp"
#include "results/recorder.hpp"
#include "scheduler/scheduler.hpp"
#include "workloads/job.hpp"
#include "workloads/model_catalogue.hpp"

namespace mimus::emulator {

/// How far a cell is; for the progress line.
struct RunProgress {
  Instant now{};
  int jobs = 0;
  int jobs_ended = 0;
  std::size_t jobs_running = 0;
  std::size_t jobs_queued = 0;
  int gpus = 0;
  int gpus_held = 0;
};

/// The only loop: take an event, tell the scheduler, carry out its actions, record. The same code
/// drives both engines.
class Testbed {
 public:
  using Watcher = std::function<void(const RunProgress&)>;

  Testbed(const workloads::Workload& workload, const workloads::ModelCatalogue& models,
          scheduler::Scheduler& scheduler, Engine& engine, results::Recorder& recorder);

  /// Runs until every job has ended. `watcher` hears of every event. Whatever ends it early, the
  /// record is written up to that moment first.
  void run(const Watcher& watcher);
  [[nodiscard]] const RunLog& log() const { return log_; }

 private:
  [[nodiscard]] Instant next_deadline() const;
  void loop(const Watcher& watcher);
  void arrivals(Instant now);
  void take(const TimedEvent& timed);
  void handle(const AttemptProgress& progress, Instant now);
  void handle(const scheduler::AttemptEnded& ended, Instant now);
  void tell(const scheduler::Event& event, Instant now);
  void tell(std::span<const scheduler::Event> events, Instant now);
  void carry_out(const scheduler::StartAttempt& start, Instant now);
  void carry_out(const scheduler::StopAttempt& stop, Instant now);
  void carry_out(const scheduler::RetuneBatch& retune, Instant now);
  void carry_out(const scheduler::GiveUpJob& give_up, Instant now);
  [[nodiscard]] bool all_ended() const;
  [[nodiscard]] RunProgress progress(Instant now) const;

  /// The truth about a job, which the scheduler does not see.
  struct Truth {
    double samples_done = 0.0;
    int failures = 0;
    bool has_checkpoint = false;
  };

  const workloads::Workload& workload_;
  const workloads::ModelCatalogue& models_;
  scheduler::Scheduler& scheduler_;
  Engine& engine_;
  results::Recorder& recorder_;
  RunLog log_;
  std::vector<Truth> truth_;
  std::map<AttemptId, JobId> running_;
  std::size_t next_arrival_ = 0;
  Instant wake_up_ = kNever;
};

/// What a model's owner states of it; the scheduler's whole knowledge of a model.
[[nodiscard]] scheduler::ModelFacts facts_of(const workloads::Model& model);

}  // namespace mimus::emulator
