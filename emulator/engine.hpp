// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/allocation.hpp"
#include "scheduler/event.hpp"
#include "workloads/model.hpp"

namespace mimus::emulator {

/// One start-to-end run of a job on one allocation, with everything the engine needs to run it.
struct Attempt {
  AttemptId id;
  JobId job;
  const workloads::Model* model = nullptr;
  scheduler::Allocation allocation;
  scheduler::BatchPlan batch;
  double samples_done = 0.0;    ///< restored from the last checkpoint, in samples at M₀
  double work_samples = 0.0;    ///< the attempt finishes here
  double fail_at_samples = -1;  ///< the failure plan strikes here; negative for never
  std::string fail_reason;
  bool from_checkpoint = false;  ///< pays the cost of reading one
  bool probe = false;            ///< a solo-baseline measurement: no start-up cost, few steps
};

/// Steps of one attempt over a stretch of time, all with the same batch. Times are emulated.
struct StepWindow {
  Instant begin{};
  Instant end{};
  std::int64_t steps = 0;
  scheduler::BatchPlan batch;
  double samples = 0.0;              ///< processed
  double progress_samples = 0.0;     ///< gained, in samples at M₀
  double noise_scale = 0.0;          ///< φ at the end [samples]
  Duration step_mean{};              ///< mean step time
  Duration step_modelled{};          ///< what the footprint model says for a solo step
  Duration exposed_communication{};  ///< per step, waiting for buckets after the last kernel
  Duration device_busy{};  ///< per step and replica, kernels resident (mean over gang: lead)
  Duration late{};         ///< per step, host could not keep the emulated pace
  int co_tenants = 0;      ///< most tenants seen beside it on any of its GPUs
};

struct AttemptProgress {
  AttemptId attempt;
  std::vector<StepWindow> windows;
  double samples_done = 0.0;  ///< of the job, in samples at M₀
};

/// What an engine reports. `AttemptEnded::samples_done` counts what its checkpoint kept.
struct TimerExpired {};
using EngineEvent =
    std::variant<scheduler::AttemptStarted, AttemptProgress, scheduler::AttemptEnded,
                 scheduler::NodeDown, scheduler::NodeUp, TimerExpired>;
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
  /// New batch from the next step boundary on. Unknown or ended attempts are ignored.
  virtual void retune(AttemptId attempt, const scheduler::BatchPlan& batch) = 0;
  /// The next event, or TimerExpired at `deadline`. Events come in order of time.
  /// InterruptedError when the user or batch system asked to stop.
  [[nodiscard]] virtual TimedEvent next(Instant deadline) = 0;
};

}  // namespace mimus::emulator
