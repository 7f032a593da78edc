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

/// How this attempt follows the previous one.
enum class Transition {
  fresh,     ///< nothing kept: the first, or after a failure without checkpoint
  resumed,   ///< the same GPUs
  migrated,  ///< the same number of other GPUs
  resized,   ///< more or fewer GPUs
  in_place,  ///< more or fewer GPUs, while the training continues
  moved,     ///< other GPUs, while the training continues
};
[[nodiscard]] const char* name(Transition transition);

/// One start-to-end run of a job on one allocation, with everything the engine needs to run it.
struct Attempt {
  AttemptId id;
  JobId job;
  const workloads::Model* model = nullptr;  ///< null: progress is recorded run time
  scheduler::Allocation allocation;
  scheduler::BatchPlan batch;
  scheduler::DeviceLimits limits;
  std::int64_t requested_batch = 0;  ///< total, set by the user; 0: not set [samples]
  double samples_done = 0.0;         ///< start, in samples at M₀; not known yet before a resize
  double samples_kept = 0.0;         ///< in the last checkpoint, to which a failure falls back
  double work_samples = 0.0;         ///< the attempt finishes here
  LearningTruth learning;
  std::optional<scheduler::StageTimes> stages;  ///< of an iteration alone; nothing: not stated
  double speed = 1.0;           ///< without a model: recorded run time per second on its GPUs
  double host_share = 0.0;      ///< likewise, see workloads::Job
  double fail_at_samples = -1;  ///< failure by the plan; negative: never
  Instant fail_at = kNever;     ///< or at this instant, whatever its progress
  std::string fail_reason;
  bool from_checkpoint = false;  ///< it has to read one
  Transition transition = Transition::fresh;
  /// A measurement: ends after this number of executed steps or when it is stopped, without
  /// start-up cost and checkpoints. 0: training.
  std::int64_t probe_steps = 0;
};

/// Measurements of a device other than time. -1: not measured.
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
  Duration step_modelled{};          ///< a solo step by the footprint model
  Duration exposed_communication{};  ///< per step, waiting for buckets after the last kernel
  Duration device_busy{};  ///< per step and replica, kernels resident (mean over gang: lead)
  Duration late{};         ///< per step, host could not keep the emulated pace
  Duration unnoticed{};    ///< part of the mean step time that the job does not measure
  int co_tenants = 0;      ///< largest number of other tenants on any of its GPUs
  DeviceReading reading;   ///< of the lead's device
};

struct AttemptProgress {
  AttemptId attempt;
  std::vector<StepWindow> windows;
  double samples_done = 0.0;                       ///< of the job, in samples at M₀
  std::optional<scheduler::EpochReport> epochs{};  ///< if its own code changes its batch
  /// The job reports now. Otherwise this is only recorded: the policy hears of it with the job's
  /// next report, or when the attempt ends or is suspended.
  bool is_report = true;
  /// Where decisions are made in rounds, the policy hears of it at once: the job's batch may
  /// change.
  bool is_urgent = false;
};

/// A running attempt has written a checkpoint and makes steps again.
struct AttemptSaved {
  AttemptId attempt;
  double samples_done = 0.0;  ///< of the job, to which a failure falls back now [samples at M₀]
};

/// Events of an engine. `AttemptEnded::samples_done` counts what its checkpoint kept.
using EngineEvent =
    std::variant<scheduler::AttemptStarted, scheduler::AttemptSuspended, scheduler::AttemptResumed,
                 scheduler::AttemptLimited, AttemptProgress, AttemptSaved, scheduler::AttemptEnded,
                 scheduler::NodeDown, scheduler::NodeUp, scheduler::GpuDown>;
struct TimedEvent {
  Instant at{};
  EngineEvent event;
};

/// The only part that differs between live and virtual runs.
class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual Instant now() const = 0;
  /// Launches a gang. AttemptStarted follows when its first step begins.
  virtual void start(const Attempt& attempt) = 0;
  /// Checkpoints and ends at the next step boundary; AttemptEnded{preempted} follows, unless the
  /// attempt ends by itself first. Unknown or ended attempts are ignored.
  virtual void stop(AttemptId attempt) = 0;
  /// `from` continues as `to`, whose slots are its first ones, or all of them and more. At a step
  /// boundary AttemptEnded{resized} follows and `to` begins, with AttemptStarted and further
  /// events. If `to` has none of its slots, the lead of `from` sends its state to the lead of `to`
  /// between the boundary and AttemptEnded{moved}. Members that join prepare first, while `from`
  /// trains on. If `from` ends by itself before, `to` never begins. Unknown or ended attempts are
  /// ignored.
  virtual void resize(AttemptId from, const Attempt& to) = 0;
  /// New batch from the next step boundary on. Unknown or ended attempts are ignored.
  virtual void retune(AttemptId attempt, const scheduler::BatchPlan& batch) = 0;
  /// Other limits from the next step boundary on. AttemptLimited follows there, or the end of an
  /// attempt for which there is no memory. Only for attempts that make steps; unknown or ended ones
  /// are ignored.
  virtual void limit(AttemptId attempt, const scheduler::DeviceLimits& limits) = 0;
  /// From the next step boundary on its gang reads at most this number of samples/s while it
  /// computes others: no step is shorter than its batch divided by this rate. Only for attempts
  /// that make steps and have not been asked to suspend; unknown or ended ones are ignored.
  virtual void read(AttemptId /*attempt*/, double /*samples_per_second*/) {}
  /// Writes a checkpoint at the next step boundary, while the gang makes no steps. AttemptSaved
  /// follows, unless the attempt ends or is suspended first. Only for attempts that make steps and
  /// have not been asked to suspend; unknown or ended ones are ignored.
  virtual void save(AttemptId /*attempt*/) {}
  /// The attempt makes no steps from the next step boundary on. AttemptSuspended follows there,
  /// after it has given back the memory that it does not keep. Until it is resumed, only stop() may
  /// follow. Only for attempts that make steps; unknown or ended ones are ignored.
  virtual void suspend(AttemptId attempt, scheduler::SuspendedMemory keeps) = 0;
  /// The attempt takes back the memory that it gave, and makes steps again. AttemptResumed follows
  /// at the first step, or the end of an attempt for which there is no memory. Unknown or ended
  /// attempts are ignored.
  virtual void resume(AttemptId attempt) = 0;
  /// Appends the progress of attempts that make steps, which a run that ends here has yet to
  /// record. Nothing but the engine's destruction may follow.
  virtual void report_last_steps(std::vector<TimedEvent>& /*happened*/) {}
  /// Continues until an event happens or `deadline` has come, and returns the instant reached.
  /// Appends the events since the last call, in order of time and, at one instant, in the order
  /// ends, nodes and GPUs down, nodes up, starts, progress, suspensions and limits. Throws
  /// InterruptedError if the user or the batch system asked to stop.
  [[nodiscard]] virtual Instant next(Instant deadline, std::vector<TimedEvent>& happened) = 0;
};

}  // namespace mimus::emulator
