// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/learning_truth.hpp"
#include "scheduler/jobs/allocation.hpp"
#include "scheduler/jobs/epoch_profile.hpp"
#include "scheduler/jobs/event.hpp"
#include "scheduler/jobs/stage_times.hpp"
#include "scheduler/jobs/suspended_memory.hpp"
#include "workloads/models/model.hpp"

namespace mimus::emulator {

/// What lies between this attempt and the one before.
enum class Transition {
  fresh,     ///< nothing kept: the first one, or after a failure without a checkpoint
  resumed,   ///< the same GPUs
  migrated,  ///< as many GPUs, other ones
  resized,   ///< more or fewer GPUs
  in_place,  ///< likewise, without an end of the training in between
  moved,     ///< other GPUs, likewise
};
[[nodiscard]] const char* name(Transition transition);

/// One start-to-end run of a job on one allocation, with everything the engine needs to run it.
struct Attempt {
  AttemptId id;
  JobId job;
  const workloads::Model* model = nullptr;  ///< null when progress is recorded run time
  scheduler::Allocation allocation;
  scheduler::BatchPlan batch;
  scheduler::DeviceLimits limits;
  std::int64_t requested_batch = 0;  ///< total, as the user set it; 0 when not set [samples]
  double samples_done = 0.0;  ///< where it begins, in samples at M₀; to be resized: not yet known
  double samples_kept = 0.0;  ///< in the last checkpoint, to which a failure falls back
  double work_samples = 0.0;  ///< the attempt finishes here
  LearningTruth learning;
  std::optional<scheduler::StageTimes> stages;  ///< of an iteration alone; nothing: not stated
  double speed = 1.0;  ///< recorded run time that passes per second on its GPUs, without a model
  double fail_at_samples = -1;  ///< the failure plan strikes here; negative for never
  Instant fail_at = kNever;     ///< or then, whatever it does
  std::string fail_reason;
  bool from_checkpoint = false;  ///< pays the cost of reading one
  Transition transition = Transition::fresh;
  /// A measurement: as many executed steps, or until it is stopped, without start-up cost and
  /// checkpoints. 0: training.
  std::int64_t probe_steps = 0;
};

/// What a device says of its own work beyond time. -1 where it does not count.
struct DeviceReading {
  double sync = -1;             ///< waited for the all-reduce, per step [emulated s]
  double memory_peak = -1;      ///< of a replica [B]
  double kernels = -1;          ///< launches per step
  double sm_activity = -1;      ///< share of the time, 0..1
  double dram_activity = -1;    ///< likewise
  double tensor_activity = -1;  ///< likewise
};

/// Steps of one attempt over a stretch of time, all with the same batch. Times are emulated.
struct StepWindow {
  Instant begin{};
  Instant end{};
  std::int64_t steps = 0;
  scheduler::BatchPlan batch;
  double samples = 0.0;              ///< processed
  double progress_samples = 0.0;     ///< gained, in samples at M₀
  double samples_done = 0.0;         ///< of the job at the end, in samples at M₀
  double noise_scale = 0.0;          ///< φ at the end [samples]
  Duration step_mean{};              ///< mean step time
  Duration step_modelled{};          ///< what the footprint model says for a solo step
  Duration exposed_communication{};  ///< per step, waiting for buckets after the last kernel
  Duration device_busy{};  ///< per step and replica, kernels resident (mean over gang: lead)
  Duration late{};         ///< per step, host could not keep the emulated pace
  int co_tenants = 0;      ///< most tenants seen beside it on any of its GPUs
  DeviceReading reading;   ///< of the lead's device
};

struct AttemptProgress {
  AttemptId attempt;
  std::vector<StepWindow> windows;
  double samples_done = 0.0;                       ///< of the job, in samples at M₀
  std::optional<scheduler::EpochReport> epochs{};  ///< where its batch changes by itself
};

/// What an engine reports. `AttemptEnded::samples_done` counts what its checkpoint kept.
using EngineEvent =
    std::variant<scheduler::AttemptStarted, scheduler::AttemptSuspended, scheduler::AttemptResumed,
                 scheduler::AttemptLimited, AttemptProgress, scheduler::AttemptEnded,
                 scheduler::NodeDown, scheduler::NodeUp, scheduler::GpuDown>;
struct TimedEvent {
  Instant at{};
  EngineEvent event;
};

/// The only thing that differs between live and virtual runs.
class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual Instant now() const = 0;
  /// Launches a gang. AttemptStarted follows after its first step.
  virtual void start(const Attempt& attempt) = 0;
  /// Checkpoints and ends at the next step boundary; AttemptEnded{preempted} follows, unless the
  /// attempt ends by itself first. Unknown or ended attempts are ignored.
  virtual void stop(AttemptId attempt) = 0;
  /// `from` goes on as `to`, whose slots are the first ones of its own or all of them and more: at
  /// a step boundary AttemptEnded{resized} follows and `to` begins, of which AttemptStarted and the
  /// rest are told then. If `to` has none of its slots, the lead of `from` gives the lead of `to`
  /// its state between the boundary and AttemptEnded{moved}. Members that join prepare first, while
  /// `from` trains on. When it ends by itself before, `to` never begins. Unknown or ended attempts
  /// are ignored.
  virtual void resize(AttemptId from, const Attempt& to) = 0;
  /// New batch from the next step boundary on. Unknown or ended attempts are ignored.
  virtual void retune(AttemptId attempt, const scheduler::BatchPlan& batch) = 0;
  /// Other limits from the next step boundary on, where AttemptLimited follows, or the end of an
  /// attempt for which there is no memory. To be asked of attempts that make steps; unknown or
  /// ended ones are ignored.
  virtual void limit(AttemptId attempt, const scheduler::DeviceLimits& limits) = 0;
  /// From the next step boundary on its gang reads so many samples/s at most, while it computes
  /// others: no step is shorter than its batch over that. To be asked of attempts that make steps
  /// and have not been asked to suspend; unknown or ended ones are ignored.
  virtual void read(AttemptId /*attempt*/, double /*samples_per_second*/) {}
  /// Makes no steps from the next step boundary on. There AttemptSuspended follows, once it has
  /// given back the memory that it is not to keep. Until it is resumed, only stop() may follow. To
  /// be asked of attempts that make steps; unknown or ended ones are ignored.
  virtual void suspend(AttemptId attempt, scheduler::SuspendedMemory keeps) = 0;
  /// Takes back the memory that it has given, and makes steps again; AttemptResumed follows as the
  /// first of them begins, or the end of an attempt for which there is no memory. Unknown or ended
  /// attempts are ignored.
  virtual void resume(AttemptId attempt) = 0;
  /// Goes on until something happens or `deadline` has come and returns the instant reached.
  /// Appends what has happened since the last call, in order of time and, at one instant, in the
  /// order ends, nodes and GPUs down, nodes up, starts, progress, suspensions and limits.
  /// InterruptedError when the user or the batch system asked to stop.
  [[nodiscard]] virtual Instant next(Instant deadline, std::vector<TimedEvent>& happened) = 0;
};

}  // namespace mimus::emulator
