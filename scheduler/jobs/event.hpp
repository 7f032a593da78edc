// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scheduler/jobs/job_sample.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Why an attempt ended, as the engine saw it. `resized`, `moved`: another attempt of the job goes
/// on where it was, see ResizeAttempt. `worker_lost`: a process died that one of its GPUs was
/// emulated by.
enum class EndReason {
  finished,
  preempted,
  failed,
  out_of_memory,
  node_down,
  resized,
  worker_lost,
  moved
};
[[nodiscard]] const char* name(EndReason reason);
/// True when another attempt goes on where this one ended, as ResizeAttempt has asked.
[[nodiscard]] constexpr bool is_followed(EndReason reason) {
  return reason == EndReason::resized || reason == EndReason::moved;
}

// What happens to a scheduler. Engines and the testbed make these; times are passed beside them.
struct JobArrived {
  JobView job;
};
/// Its user takes the job back: it leaves, once its attempt has ended if it has one. Ignored where
/// it has left already.
struct JobCancelled {
  JobId job;
  std::string reason;  ///< for the record
};
struct AttemptStarted {  ///< the gang has run its first step
  AttemptId attempt;
  Instant at = kNever;  ///< when, if that was before the scheduler is told, as in rounds
};
struct AttemptSuspended {  ///< its last step has ended, and its GPUs are free for others
  AttemptId attempt;
  Instant at = kNever;  ///< as above
};
struct AttemptResumed {  ///< its next step begins
  AttemptId attempt;
  Instant at = kNever;  ///< as above
};
struct AttemptLimited {  ///< the limits last asked for hold
  AttemptId attempt;
  Instant at = kNever;  ///< as above
};
struct ProgressReported {
  AttemptId attempt;
  ProgressBelief progress;
  std::vector<JobSample> samples{};  ///< empty where Scheduler::wants_samples() says no
};
struct AttemptEnded {
  AttemptId attempt;
  EndReason reason = EndReason::finished;
  std::string detail;
  double samples_done = 0.0;  ///< kept by its last checkpoint, or by what goes on, at M₀
  NodeId node{};              ///< that it failed on, where its exit codes tell; else none
};
struct NodeDown {
  NodeId node;
};
struct NodeUp {
  NodeId node;
};
/// A GPU is gone for the rest of the run.
struct GpuDown {
  GpuId gpu;
  std::string detail;  ///< why, for the record
};
struct Timer {};  ///< a wake-up that a policy asked for

using Event =
    std::variant<JobArrived, JobCancelled, AttemptStarted, AttemptSuspended, AttemptResumed,
                 AttemptLimited, ProgressReported, AttemptEnded, NodeDown, NodeUp, GpuDown, Timer>;

}  // namespace mimus::scheduler
